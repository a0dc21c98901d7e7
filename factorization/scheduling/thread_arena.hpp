// SPDX-License-Identifier: BSD-3-Clause
// Parallel loops on as many threads as the user allows.
#pragma once

#include <tbb/task_arena.h>

#include "matrices/parallel.hpp"

namespace frond {

/// Returns what f() returns, run by this thread, with loops of it shared among so many threads that have a core; 0: all that the
/// process may use. While this thread waits for others it takes up no task from outside.
template <class F>
auto on_threads(int num_threads, const F& f) {
  tbb::task_arena arena(threads_with_core(num_threads));  // oneTBB writes a warning where there are more
  return arena.execute([&] { return f(); });
}

}  // namespace frond
