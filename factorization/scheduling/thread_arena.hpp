// SPDX-License-Identifier: BSD-3-Clause
// Runs parallel loops on as many threads as the user allows.
#pragma once

#include <tbb/task_arena.h>

#include "frond/types.hpp"
#include "matrices/parallel.hpp"

namespace frond {

/// Returns one thread for few entries of a matrix, since waking another one takes longer than the work.
[[nodiscard]] inline int worthwhile_threads(int num_threads, Count num_entries) {
  constexpr Count kFewEntries = 2000;
  return num_entries <= kFewEntries ? 1 : num_threads;
}

/// Returns the result of f(), run by this thread, whose loops are shared among `num_threads` threads that have a core; 0: all cores
/// that the process may use. While this thread waits for others it takes no task from outside.
template <class F>
auto on_threads(int num_threads, const F& f) {
  tbb::task_arena arena(threads_with_core(num_threads));  // oneTBB prints a warning where there are more
  return arena.execute([&] { return f(); });
}

}  // namespace frond
