// SPDX-License-Identifier: BSD-3-Clause
// Who may end `frond solve` before its time, and how it goes on.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "tools/program/process/checkpoint_signals.hpp"

namespace frond {

/// A run that was stopped and has left a checkpoint.
class SuspendedError : public StoppedError {
 public:
  using StoppedError::StoppedError;
};

/// The time limit, and with a checkpoint signals and `frond checkpoint --stop`. Calls may come from several threads.
class StopSources {
 public:
  /// No limit: 0. No checkpoint: an empty name. `num_processes` were started together.
  StopSources(double time_limit_seconds, std::string checkpoint, Rank num_processes);

  [[nodiscard]] bool is_stop_wanted();
  /// The disk takes no more of the checkpoint: told at once, and again when the run is stopped.
  void note_trouble(const std::string& what);
  [[nodiscard]] bool take_list_request() { return signals_ && signals_->take_list_request(); }

  /// Throws SuspendedError with the command that goes on, or without a checkpoint StoppedError. `phase` says where the run was.
  [[noreturn]] void throw_stopped(const char* phase) const;

 private:
  [[nodiscard]] bool is_over() const;

  double time_limit_seconds_;
  double end_ = 0;  // of steady_seconds()
  std::string checkpoint_;
  Rank num_processes_;
  std::optional<CheckpointSignals> signals_;
  std::atomic<double> next_look_{0};  // for a request in the directory
  std::atomic<bool> is_requested_{false};
  std::atomic<bool> has_told_{false};
  std::atomic<bool> has_trouble_{false};
};

/// The words with which this process was called.
[[nodiscard]] std::vector<std::string> own_command_line();

/// `words` of a command line as a shell takes them, with --resume in the place of --checkpoint, for as many processes.
[[nodiscard]] std::string resume_command(const std::vector<std::string>& words, Rank num_processes);

}  // namespace frond
