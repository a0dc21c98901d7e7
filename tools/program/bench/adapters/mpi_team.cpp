// SPDX-License-Identifier: BSD-3-Clause
// A team over the MPI that the adapter is compiled with; CMake passes its launcher.
#include <mpi.h>

#include <exception>

#include "tools/program/bench/adapters/team.hpp"

namespace frond {
namespace {

class MpiTeam final : public PeerTeam {
 public:
  explicit MpiTeam(int wanted_level) {
    int granted_level = 0;
    MPI_Init_thread(nullptr, nullptr, wanted_level, &granted_level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }
  ~MpiTeam() override {
    if (std::uncaught_exceptions() == 0) {  // after an exception this would wait for the others
      MPI_Finalize();
    }
  }

  [[nodiscard]] Rank rank() const override { return rank_; }
  void wait_for_all() override { MPI_Barrier(MPI_COMM_WORLD); }
  [[nodiscard]] Count sum(Count mine) const override {
    Count total = 0;
    MPI_Reduce(&mine, &total, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    return total;
  }

 private:
  int rank_ = 0;
};

}  // namespace

std::string team_launcher() { return FROND_PEER_LAUNCHER; }

std::unique_ptr<PeerTeam> join_team(bool threads_call_mpi) {
  return std::make_unique<MpiTeam>(threads_call_mpi ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED);
}

}  // namespace frond
