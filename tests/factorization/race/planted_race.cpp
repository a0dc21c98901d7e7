// SPDX-License-Identifier: BSD-3-Clause
// Runs two jobs of a pool that write the same variables without a lock: ThreadSanitizer must report it, or the race tests prove
// nothing.
#include <atomic>
#include <thread>
#include <vector>

#include "factorization/scheduling/task_pool.hpp"

int main() {
  std::vector<int> shared(1000);  // two accesses at exactly the same time may escape; a thousand pairs do not
  std::atomic<int> num_arrived{0};
  const auto pool = frond::make_thread_pool(2);
  pool->run([&] {
    for (int i = 0; i < 2; ++i) {
      pool->submit(0, [&] {
        num_arrived.fetch_add(1, std::memory_order_relaxed);  // relaxed: orders nothing, but makes sure that both workers run
        while (num_arrived.load(std::memory_order_relaxed) < 2) {
          std::this_thread::yield();
        }
        for (int& value : shared) {
          ++value;
        }
      });
    }
  });
  return shared.front() > 0 ? 0 : 1;
}
