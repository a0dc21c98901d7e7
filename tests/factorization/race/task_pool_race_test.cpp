// SPDX-License-Identifier: BSD-3-Clause
// Tests the plain-thread pool: what a job wrote is visible to the jobs that it submits and to the thread that waits for the end.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "factorization/scheduling/task_pool.hpp"

namespace frond::test {
namespace {

TEST(ThreadPoolRace, JobsSeeWhatTheirSubmitterWrote) {
  const auto pool = make_thread_pool(4);
  constexpr int kChains = 50;
  constexpr int kLength = 100;
  std::vector<int> values(kChains);
  std::function<void(std::size_t, int)> step = [&](std::size_t chain, int left) {
    ++values[chain];
    if (left > 1) {
      pool->submit(static_cast<Index>(chain), [&step, chain, left] { step(chain, left - 1); });
    }
  };
  pool->run([&] {
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      pool->submit(static_cast<Index>(chain), [&step, chain] { step(chain, kLength); });
    }
  });
  EXPECT_EQ(values, std::vector<int>(kChains, kLength));
}

}  // namespace
}  // namespace frond::test
