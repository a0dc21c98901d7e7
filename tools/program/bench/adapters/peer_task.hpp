// SPDX-License-Identifier: BSD-3-Clause
// The task that a peer's command line requests.
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
  int num_again = 0;  ///< refactorizations with other values
  bool refines = false;
  bool is_launched = false;  ///< started by the launcher of the team
};

/// Throws UsageError.
[[nodiscard]] PeerTask parse_task(int argc, char** argv);

/// Returns the method with which the peer factorizes a real or complex matrix: the requested one, or LU if the peer lacks it and
/// the matrix is indefinite, or if only accuracy counts. Nothing: the peer is not for such matrices.
[[nodiscard]] std::optional<Method> method_of(const PeerTask& task, const Peer& peer, bool is_complex);

/// Returns why the peer does not take part with this number of threads and processes; empty if it does.
[[nodiscard]] std::string objection_to(const PeerTask& task, const Peer& peer);

/// Replaces this process by the launcher, which starts the requested number of copies. Throws UsageError if there is no launcher.
[[noreturn]] void launch_team(const PeerTask& task, int argc, char** argv);

}  // namespace frond
