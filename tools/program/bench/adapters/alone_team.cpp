// SPDX-License-Identifier: BSD-3-Clause
// A team of one process, without MPI.
#include "tools/program/bench/adapters/team.hpp"

namespace frond {

std::string team_launcher() { return {}; }

std::unique_ptr<PeerTeam> join_team(bool /*threads_call_mpi*/) { return std::make_unique<PeerTeam>(); }

}  // namespace frond
