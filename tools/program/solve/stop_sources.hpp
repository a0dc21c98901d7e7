// SPDX-License-Identifier: BSD-3-Clause
// Collects what may end `frond solve` early, and prints how to continue.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "frond/observer.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "tools/program/process/standard_error.hpp"
#include "tools/program/process/stop_signals.hpp"

namespace frond {

/// A run was stopped and has left a checkpoint.
class SuspendedError : public StoppedError {
 public:
  using StoppedError::StoppedError;
};

/// The time limit, and with a checkpoint also signals and `frond checkpoint --stop`. Several threads may call it.
class StopSources : public Observer {
 public:
  /// No limit: 0. No checkpoint: an empty name. `num_processes` were started together.
  StopSources(double time_limit_seconds, std::string checkpoint, Rank num_processes);

  bool stop_requested() override;
  bool list_requested() override { return signals_ && signals_->take_list_request(); }
  std::vector<Rank> ranks_to_leave(std::string& folder) override { return read_leavers(checkpoint_, folder); }
  void rank_idle(const std::string& report) override { tell_on_stderr("frond: watchdog: " + report + "\n"); }
  void leave_answered(const std::string& sentence) override { tell_on_stderr("frond: " + sentence + "\n"); }
  /// Reported at once, and again when the run is stopped.
  void checkpoint_failed(const std::string& why) override;

  /// Throws SuspendedError with the command that continues the run, or StoppedError without a checkpoint. `phase` says where the
  /// run was.
  [[noreturn]] void throw_stopped(const char* phase) const;

 private:
  [[nodiscard]] bool is_over() const;

  double time_limit_seconds_;
  double end_ = 0;  // by steady_seconds()
  std::string checkpoint_;
  Rank num_processes_;
  std::optional<StopSignals> signals_;
  std::atomic<double> next_look_{0};  // for a request in the directory
  std::atomic<bool> is_requested_{false};
  std::atomic<bool> has_told_{false};
  std::atomic<bool> has_trouble_{false};
};

/// Returns `words` of a command line as a shell takes them, with --resume in place of --checkpoint, for this number of processes.
[[nodiscard]] std::string resume_command(const std::vector<std::string>& words, Rank num_processes);

}  // namespace frond
