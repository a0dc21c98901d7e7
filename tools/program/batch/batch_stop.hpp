// SPDX-License-Identifier: BSD-3-Clause
// Handles signals that end a batch between two systems.
#pragma once

#include <atomic>
#include <string>

#include "frond/types.hpp"
#include "tools/program/process/checkpoint_signals.hpp"

namespace frond {

/// During its life, SIGTERM, SIGHUP and Ctrl-C let running systems finish and prevent new ones from starting. One at a time in a
/// process.
class BatchStop {
 public:
  /// Several processes may receive a signal; only one reports it.
  explicit BatchStop(bool says_so) : has_told_(!says_so) {}

  /// Returns true once a stop was requested; this object must outlive it. Several threads may call it.
  [[nodiscard]] StopRequest request() {
    return [this] { return is_wanted(); };
  }

  /// Throws SuspendedError, with the command that continues the run, if there is a file of results, otherwise StoppedError.
  [[noreturn]] void throw_stopped(std::size_t num_done, std::size_t num_systems, const std::string& results) const;

 private:
  [[nodiscard]] bool is_wanted();

  CheckpointSignals signals_;
  std::atomic<bool> has_told_;
};

}  // namespace frond
