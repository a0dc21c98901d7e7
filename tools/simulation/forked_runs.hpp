// SPDX-License-Identifier: BSD-3-Clause
// Runs work in separate processes, if each run needs a fresh process and several may run side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace frond {

/// The outcome of a run.
struct ForkedResult {
  std::string output;  ///< its return value
  std::string error;   ///< its exception, or the signal that ended it; empty: success
};

/// [i] = outcome of run(i), for i < num_runs, each in a copy of this process, `num_at_once` at a time. A run must not use threads
/// that were started before: they are not copied. `on_end` is called in this process once per finished run. Throws
/// std::system_error if no process can be started.
[[nodiscard]] std::vector<ForkedResult> run_forked(std::size_t num_runs, int num_at_once,
                                                   const std::function<std::string(std::size_t)>& run,
                                                   const std::function<void()>& on_end = {});

}  // namespace frond
