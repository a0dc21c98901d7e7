// SPDX-License-Identifier: BSD-3-Clause
// Running a program and collecting what it says.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace frond {

struct ChildResult {
  int exit_code = 0;       ///< 128 + signal when a signal ended it
  bool timed_out = false;  ///< it was ended because its time was over
  double seconds = 0;      ///< wall clock
  std::string output;      ///< standard output
  std::string errors;      ///< standard error
};

struct ChildSetting {
  std::vector<std::string> environment = {};  ///< NAME=VALUE each; empty: the caller's
  std::function<bool()> wants_stop = {};      ///< asked after each signal, and every second: whether to end it now
};

/// Runs arguments[0] with the arguments behind it, without a shell, standard input empty; after `seconds_limit` it is asked to end
/// (SIGTERM, by which launchers end what they have launched), then killed. Throws InternalError when no process can be started.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& arguments, double seconds_limit,
                                    const ChildSetting& setting = {});

}  // namespace frond
