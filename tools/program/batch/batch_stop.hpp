// SPDX-License-Identifier: BSD-3-Clause
// Signals that end a batch between two systems.
#pragma once

#include <atomic>
#include <string>

#include "frond/types.hpp"
#include "tools/program/process/checkpoint_signals.hpp"

namespace frond {

/// While it lives, SIGTERM, SIGHUP and Ctrl-C let systems under way come to their end, and none begin. One at a time in a process.
class BatchStop {
 public:
  /// Several processes may hear of a signal; one says so.
  explicit BatchStop(bool says_so) : has_told_(!says_so) {}

  /// Whether it was asked for; outlived by this object. May be called by several threads.
  [[nodiscard]] StopRequest request() {
    return [this] { return is_wanted(); };
  }

  /// Throws SuspendedError, with the command that goes on, if there is a file of results, and else StoppedError.
  [[noreturn]] void throw_stopped(std::size_t num_done, std::size_t num_systems, const std::string& results) const;

 private:
  [[nodiscard]] bool is_wanted();

  CheckpointSignals signals_;
  std::atomic<bool> has_told_;
};

}  // namespace frond
