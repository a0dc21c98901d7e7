// SPDX-License-Identifier: BSD-3-Clause
// Makes places of the processes of MPI.
#include <memory>

#include "frond/mpi.hpp"
#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "solver/distributed/mpi/rank_place.hpp"

namespace frond {

Place on(MPI_Comm program) {
  return rank_place(std::make_shared<const Communicator>(duplicate(program, std::make_shared<MpiGate>(mpi_thread_level()))));
}

Place on(MPI_Comm program, const Place& beside) {
  return rank_place(std::make_shared<const Communicator>(duplicate(program, shared_gate(communicator_of(beside)))));
}

}  // namespace frond
