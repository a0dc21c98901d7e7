// SPDX-License-Identifier: BSD-3-Clause
// Runs in processes of their own: what needs a fresh process each time, and may run side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace frond {

/// What came of a run.
struct ForkedResult {
  std::string output;  ///< what it returned
  std::string error;   ///< what it threw, or the signal that ended it; empty: it has succeeded
};

/// [i] = what came of run(i), for i < num_runs, each in a copy of this process, `num_at_once` at a time. A run must not use threads
/// that were started before: they are not copied. `on_end` is called here as often as runs have ended. Throws std::system_error if
/// no process can be started.
[[nodiscard]] std::vector<ForkedResult> run_forked(std::size_t num_runs, int num_at_once,
                                                   const std::function<std::string(std::size_t)>& run,
                                                   const std::function<void()>& on_end = {});

}  // namespace frond
