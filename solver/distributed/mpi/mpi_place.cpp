// SPDX-License-Identifier: BSD-3-Clause
// Implements places and watches on processes of MPI.
#include <memory>
#include <utility>

#include "frond/mpi.hpp"
#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "loadinfo/messages/mpi/mpi_rank_watch.hpp"
#include "solver/distributed/mpi/rank_place.hpp"

namespace frond {

Place on(MPI_Comm program) {
  return rank_place(std::make_shared<const Communicator>(duplicate(program, std::make_shared<MpiGate>(mpi_thread_level()))));
}

Place on(MPI_Comm program, const Place& beside) {
  return rank_place(std::make_shared<const Communicator>(duplicate(program, shared_gate(communicator_of(beside)))));
}

class ProcessWatch::Inside {
 public:
  Inside(const Place& place, double limit_seconds, std::function<void(Rank)> rank_lost)
      : watch_(communicator_of(place), limit_seconds, std::move(rank_lost)) {}

 private:
  MpiRankWatch watch_;
};

ProcessWatch::ProcessWatch(const Place& place, double limit_seconds, std::function<void(Rank)> rank_lost)
    : inside_(std::make_unique<Inside>(place, limit_seconds, std::move(rank_lost))) {}
ProcessWatch::~ProcessWatch() = default;

}  // namespace frond
