// SPDX-License-Identifier: BSD-3-Clause
// Tests ranks that watch each other, and that start and end together.
#include "loadinfo/messages/mpi/mpi_rank_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond::test {
namespace {

TEST(MpiRankWatch, LosesNobodyAndEndsWithTheLastGoodbye) {
  const Communicator ranks = mpi_world(mpi_gate());
  std::atomic<int> num_lost{0};
  if (ranks.gate().level() != MpiThreadLevel::multiple) {
    EXPECT_THROW(MpiRankWatch(ranks, 5, [](Rank) {}), UsageError);
    return;
  }
  for (int round = 0; round < 3; ++round) {
    const MpiRankWatch watch(ranks, 5, [&num_lost](Rank) { ++num_lost; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20 * ranks.rank()));
  }
  EXPECT_EQ(num_lost, 0);
}

}  // namespace
}  // namespace frond::test
