// SPDX-License-Identifier: BSD-3-Clause
// Handles signals that end a batch between two systems.
#pragma once

#include <atomic>
#include <string>

#include "frond/observer.hpp"
#include "tools/program/process/standard_error.hpp"
#include "tools/program/process/stop_signals.hpp"

namespace frond {

/// During its life, SIGTERM, SIGHUP and Ctrl-C let running systems finish and prevent new ones from starting. One at a time in a
/// process.
class BatchStop final : public Observer {
 public:
  /// Several processes may receive a signal; only one reports it.
  explicit BatchStop(bool says_so) : has_told_(!says_so) {}

  bool batch_end_requested() override;
  void rank_idle(const std::string& report) override { tell_on_stderr("frond: watchdog: " + report + "\n"); }

  /// Throws SuspendedError, with the command that continues the run, if there is a file of results, otherwise StoppedError.
  [[noreturn]] void throw_stopped(std::size_t num_done, std::size_t num_systems, const std::string& results) const;

 private:
  StopSignals signals_;
  std::atomic<bool> has_told_;
};

}  // namespace frond
