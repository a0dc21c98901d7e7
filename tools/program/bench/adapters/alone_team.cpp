// SPDX-License-Identifier: BSD-3-Clause
// A team of one process, without MPI.
#include "tools/program/bench/adapters/team.hpp"

namespace frond {
namespace {

class AloneTeam final : public PeerTeam {
 public:
  [[nodiscard]] Rank rank() const override { return 0; }
  void wait_for_all() override {}
  [[nodiscard]] Count sum(Count mine) const override { return mine; }
};

}  // namespace

std::string team_launcher() { return {}; }

std::unique_ptr<PeerTeam> join_team(bool /*threads_call_mpi*/) { return std::make_unique<AloneTeam>(); }

}  // namespace frond
