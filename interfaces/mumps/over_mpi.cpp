// SPDX-License-Identifier: BSD-3-Clause
// The libraries with MPI, which the program starts and ends.
#include <mpi.h>

#include <memory>

#include "interfaces/mumps/processes.hpp"
#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "solver/distributed/mpi/rank_place.hpp"

namespace frond::mumps {

// Instances of a process share its gate, since MPI may let only one of them call it at a time.
Place place_of(int communicator) {
  constexpr int kWorld = -987654;  // as MUMPS documents it
  static const auto kGate = std::make_shared<MpiGate>(mpi_thread_level());
  Communicator ranks = duplicate(communicator == kWorld ? MPI_COMM_WORLD : MPI_Comm_f2c(communicator), kGate);
  return ranks.num_ranks() == 1 ? Place() : rank_place(std::make_shared<const Communicator>(std::move(ranks)));
}

}  // namespace frond::mumps
