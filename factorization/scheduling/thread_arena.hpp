// SPDX-License-Identifier: BSD-3-Clause
// Parallel loops on as many threads as the user allows.
#pragma once

#include <tbb/task_arena.h>

#include "frond/types.hpp"
#include "matrices/parallel.hpp"

namespace frond {

/// One thread for so few entries of a matrix, or of its factors, since waking another one takes longer than the work.
[[nodiscard]] inline int worthwhile_threads(int num_threads, Count num_entries) {
  constexpr Count kFewEntries = 2000;
  return num_entries <= kFewEntries ? 1 : num_threads;
}

/// Returns what f() returns, run by this thread, with loops of it shared among so many threads that have a core; 0: all that the
/// process may use. While this thread waits for others it takes up no task from outside.
template <class F>
auto on_threads(int num_threads, const F& f) {
  tbb::task_arena arena(threads_with_core(num_threads));  // oneTBB writes a warning where there are more
  return arena.execute([&] { return f(); });
}

}  // namespace frond
