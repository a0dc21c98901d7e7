// SPDX-License-Identifier: BSD-3-Clause
// What the command line of a peer asks for.
#pragma once

#include <optional>
#include <string>

#include "tools/program/bench/adapters/peer.hpp"

namespace frond {

struct PeerTask {
  std::string matrix;
  Method method = Method::lu;
  std::string ordering;  ///< a file; empty: the solver chooses
  int num_threads = 1;
  Rank num_ranks = 1;
  int repetitions = 1;
  bool refines = false;
  bool is_launched = false;  ///< by the launcher of the team
};

/// Throws UsageError.
[[nodiscard]] PeerTask parse_task(int argc, char** argv);

/// The method by which the peer factorizes a matrix that is complex or not: the one asked for, or LU where the peer does not have
/// it and the matrix is indefinite, or accuracy is all that counts. None: the peer is not for such matrices.
[[nodiscard]] std::optional<Method> method_of(const PeerTask& task, const Peer& peer, bool is_complex);

/// Why the peer takes no part with so many threads and processes; empty if it does.
[[nodiscard]] std::string objection_to(const PeerTask& task, const Peer& peer);

/// Replaces this process by the launcher, which starts as many of the same. Throws UsageError if it is not there.
[[noreturn]] void launch_team(const PeerTask& task, int argc, char** argv);

}  // namespace frond
