// SPDX-License-Identifier: BSD-3-Clause
// Signals to a run that leaves a checkpoint.
#pragma once

#include <csignal>

namespace frond {

/// While it lives, SIGTERM, SIGHUP and SIGINT do not end the process but ask it to stop, and SIGUSR2 asks for a list of what is
/// finished; a second SIGINT ends it. One at a time in a process.
class CheckpointSignals {
 public:
  CheckpointSignals();
  ~CheckpointSignals();
  CheckpointSignals(const CheckpointSignals&) = delete;
  CheckpointSignals& operator=(const CheckpointSignals&) = delete;

  /// The name of the signal that has asked to stop; null: none has.
  [[nodiscard]] const char* stop_signal() const;
  /// Whether a list was asked for since the last call.
  [[nodiscard]] bool take_list_request();

 private:
  struct sigaction old_terminate_ = {};
  struct sigaction old_hang_up_ = {};
  struct sigaction old_interrupt_ = {};
  struct sigaction old_user_ = {};
};

}  // namespace frond
