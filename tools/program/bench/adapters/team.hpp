// SPDX-License-Identifier: BSD-3-Clause
// The processes of one adapter. An adapter links one of two implementations: alone_team.cpp or mpi_team.cpp.
#pragma once

#include <memory>
#include <string>

#include "frond/types.hpp"

namespace frond {

/// One process, unless a class that is derived from it knows of more.
class PeerTeam {
 public:
  PeerTeam() = default;
  virtual ~PeerTeam() = default;
  PeerTeam(const PeerTeam&) = delete;
  PeerTeam& operator=(const PeerTeam&) = delete;

  [[nodiscard]] virtual Rank rank() const { return 0; }
  virtual void wait_for_all() {}
  [[nodiscard]] virtual Count sum(Count mine) const { return mine; }  ///< over all processes, on the first one
};

/// Returns the launcher of the processes; empty if there is never more than one.
[[nodiscard]] std::string team_launcher();

/// Starts MPI if it is used; the destructor ends it.
[[nodiscard]] std::unique_ptr<PeerTeam> join_team(bool threads_call_mpi);

}  // namespace frond
