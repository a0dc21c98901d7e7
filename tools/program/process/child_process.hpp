// SPDX-License-Identifier: BSD-3-Clause
// Runs a program and collects its output.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace frond {

struct ChildResult {
  int exit_code = 0;       ///< 128 + signal if a signal ended it
  bool timed_out = false;  ///< it was ended because it exceeded its time
  double seconds = 0;      ///< wall clock
  std::string output;      ///< standard output
  std::string errors;      ///< standard error
};

struct ChildSetting {
  std::vector<std::string> environment = {};  ///< NAME=VALUE each; empty: the caller's
  std::function<bool()> wants_stop = {};      ///< polled after each signal and every second; true: end it now
};

/// Runs arguments[0] with the remaining arguments, without a shell, standard input empty; after `seconds_limit` it is asked to end
/// (SIGTERM, with which launchers end what they have launched), then killed. Throws InternalError if no process can be started.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& arguments, double seconds_limit,
                                    const ChildSetting& setting = {});

}  // namespace frond
