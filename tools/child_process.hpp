// SPDX-License-Identifier: BSD-3-Clause
// Running a program and collecting what it says.
#pragma once

#include <string>
#include <vector>

namespace frond {

struct ChildResult {
  int exit_code = 0;       ///< 128 + signal when a signal ended it
  bool timed_out = false;  ///< it was killed because its time was over
  double seconds = 0;      ///< wall clock
  std::string output;      ///< standard output
  std::string errors;      ///< standard error
};

/// Runs arguments[0] with the arguments behind it, without a shell, standard input empty; kills it after `seconds_limit`. Throws
/// InternalError when no process can be started.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& arguments, double seconds_limit);

}  // namespace frond
