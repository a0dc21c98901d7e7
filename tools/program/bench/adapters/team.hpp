// SPDX-License-Identifier: BSD-3-Clause
// The processes of one adapter. An adapter links one of two implementations: alone_team.cpp or mpi_team.cpp.
#pragma once

#include <memory>
#include <string>

#include "frond/types.hpp"

namespace frond {

class PeerTeam {
 public:
  PeerTeam() = default;
  virtual ~PeerTeam() = default;
  PeerTeam(const PeerTeam&) = delete;
  PeerTeam& operator=(const PeerTeam&) = delete;

  [[nodiscard]] virtual Rank rank() const = 0;
  virtual void wait_for_all() = 0;
  [[nodiscard]] virtual Count sum(Count mine) const = 0;  ///< over all processes, on the first one
};

/// Returns the launcher of the processes; empty if there is never more than one.
[[nodiscard]] std::string team_launcher();

/// Starts MPI if it is used; the destructor ends it.
[[nodiscard]] std::unique_ptr<PeerTeam> join_team(bool threads_call_mpi);

}  // namespace frond
