// SPDX-License-Identifier: BSD-3-Clause
// Handles signals to a long run.
#pragma once

#include <csignal>

namespace frond {

/// During its life, SIGTERM, SIGHUP and SIGINT do not end the process but ask it to stop, and SIGUSR2 asks a run with a checkpoint
/// for a list of finished fronts; a second SIGINT ends it. One at a time in a process.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Returns the name of the signal that requested a stop, or null.
  [[nodiscard]] const char* stop_signal() const;
  [[nodiscard]] bool has_come() const { return stop_signal() != nullptr; }
  /// True if a list was requested since the last call.
  [[nodiscard]] bool take_list_request();

 private:
  struct sigaction old_terminate_ = {};
  struct sigaction old_hang_up_ = {};
  struct sigaction old_interrupt_ = {};
  struct sigaction old_user_ = {};
};

}  // namespace frond
