// SPDX-License-Identifier: BSD-3-Clause
// Runs work on several threads at once.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace frond::testing {

/// Runs work(k) for k = 0, 1, ..., each on a thread of its own, and returns when all have ended.
template <class Work>
void run_threads(int num_threads, const Work& work) {
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<std::size_t>(num_threads));
  for (int k = 0; k < num_threads; ++k) {
    threads.emplace_back([&work, k] { work(k); });
  }
}

}  // namespace frond::testing
