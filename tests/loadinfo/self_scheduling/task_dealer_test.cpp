// SPDX-License-Identifier: BSD-3-Clause
// Tests that every task is given out, that idle ranks get copies, and that everything is done as long as one rank lives.
#include "loadinfo/self_scheduling/task_dealer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace frond {
namespace {

using Tasks = std::vector<Count>;

TEST(TaskDealer, DealsChunksAsTheRuleSaysAndInOrder) {
  TaskDealer pool({.chunks = ChunkKind::gss, .gives_copies = false}, {.num_tasks = 10, .num_ranks = 3});
  EXPECT_EQ(pool.take(0), (Tasks{0, 1, 2, 3}));
  EXPECT_EQ(pool.take(2), (Tasks{4, 5}));
  EXPECT_EQ(pool.take(2), (Tasks{6, 7}));
  EXPECT_EQ(pool.take(1), (Tasks{8}));
  EXPECT_EQ(pool.take(1), (Tasks{9}));
  EXPECT_EQ(pool.take(1), Tasks{}) << "no copies are wanted";
  EXPECT_EQ(pool.num_unfinished(), 10);
}

// The example of the header.
TEST(TaskDealer, GivesCopiesOfWhatIsUnfinishedToWhomeverIsIdle) {
  TaskDealer pool({}, {.num_tasks = 3, .num_ranks = 2});
  EXPECT_EQ(pool.take(0), Tasks{0});
  EXPECT_EQ(pool.take(1), Tasks{1});
  EXPECT_EQ(pool.take(1), Tasks{2});
  EXPECT_TRUE(pool.finish(0));
  EXPECT_EQ(pool.take(0), Tasks{1});
  EXPECT_EQ(pool.take(0), Tasks{2});
  EXPECT_EQ(pool.take(0), Tasks{}) << "never twice to one rank";
  EXPECT_EQ(pool.num_copies(), 2);
  EXPECT_EQ(pool.places(1), (std::vector<Rank>{1, 0}));
}

TEST(TaskDealer, CopiesFirstWhatHasFewestCopiesAndOfThoseTheOldest) {
  TaskDealer pool({}, {.num_tasks = 3, .num_ranks = 4});
  for (Rank rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(pool.take(rank), Tasks{rank});
  }
  EXPECT_EQ(pool.take(3), Tasks{0});
  EXPECT_EQ(pool.take(3), Tasks{1});
  EXPECT_TRUE(pool.finish(2));
  EXPECT_EQ(pool.take(2), Tasks{0}) << "two have each of them, and 0 is older";
  EXPECT_EQ(pool.take(0), Tasks{1}) << "two have it";
  EXPECT_EQ(pool.take(0), Tasks{});
}

TEST(TaskDealer, TheFirstResultCounts) {
  TaskDealer pool({}, {.num_tasks = 1, .num_ranks = 2});
  EXPECT_EQ(pool.take(0), Tasks{0});
  EXPECT_EQ(pool.take(1), Tasks{0});
  EXPECT_FALSE(pool.is_finished(0));
  EXPECT_TRUE(pool.finish(0));
  EXPECT_FALSE(pool.finish(0)) << "the other one's is dropped";
  EXPECT_TRUE(pool.is_finished(0));
  EXPECT_EQ(pool.num_unfinished(), 0);
}

TEST(TaskDealer, GivesNoCopiesToThreadsOfOnePlace) {
  TaskDealer pool({.ranks_per_place = 2}, {.num_tasks = 2, .num_ranks = 4});
  EXPECT_EQ(pool.take(0), Tasks{0});
  EXPECT_EQ(pool.take(1), Tasks{1});
  EXPECT_TRUE(pool.finish(1));
  EXPECT_EQ(pool.take(1), Tasks{}) << "rank 0 at the same place has it";
  EXPECT_EQ(pool.take(3), Tasks{0});
  EXPECT_EQ(pool.take(2), Tasks{});
  EXPECT_EQ(pool.places(0), (std::vector<Rank>{0, 1}));
}

TEST(TaskDealer, DealsNothingThatIsDone) {
  TaskDealer pool({.chunks = ChunkKind::fixed}, {.num_tasks = 6, .num_ranks = 3});
  EXPECT_TRUE(pool.finish(0));
  EXPECT_TRUE(pool.finish(2));
  EXPECT_TRUE(pool.finish(3));
  EXPECT_EQ(pool.take(0), Tasks{1});
  EXPECT_EQ(pool.take(1), (Tasks{4, 5})) << "nothing is left of the second chunk";
}

TEST(TaskDealer, OfNoTasks) {
  TaskDealer pool({}, {.num_tasks = 0, .num_ranks = 2});
  EXPECT_EQ(pool.take(1), Tasks{});
  EXPECT_EQ(pool.num_unfinished(), 0);
}

// Ranks do their tasks in random order, and some ranks vanish: returns how often each task was done.
std::vector<int> worked_off(TaskDealer& pool, Count num_tasks, Rank num_ranks, std::mt19937& random) {
  std::vector<int> times(static_cast<std::size_t>(num_tasks));
  std::vector<std::deque<Count>> mine(static_cast<std::size_t>(num_ranks));
  std::vector<bool> is_lost(static_cast<std::size_t>(num_ranks));
  const auto keeper = static_cast<Rank>(random() % static_cast<unsigned>(num_ranks));
  while (pool.num_unfinished() > 0) {
    const auto rank = static_cast<Rank>(random() % static_cast<unsigned>(num_ranks));
    if (is_lost[rank]) {
      continue;
    }
    if (rank != keeper && random() % 20 == 0) {
      is_lost[rank] = true;
      continue;
    }
    std::deque<Count>& queue = mine[rank];
    if (queue.empty()) {
      const Tasks taken = pool.take(rank);
      queue.assign(taken.begin(), taken.end());
      continue;
    }
    times[queue.front()] += pool.finish(queue.front()) ? 1 : 0;
    pool.times(rank).note(1, 0.1 * (rank + 1), 0.1 * (rank + 2));
    queue.pop_front();
  }
  return times;
}

TEST(TaskDealer, AllIsDoneOnceAsLongAsOneRankLives) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto num_tasks = static_cast<Count>(random() % 60);
    const auto num_ranks = static_cast<Rank>(1 + random() % 9);
    const std::vector<std::string> rules = chunk_kind_names();
    const std::string& rule = rules[random() % rules.size()];
    TaskDealer pool({.chunks = parse_chunk_kind(rule)}, {.num_tasks = num_tasks, .num_ranks = num_ranks});
    const std::vector<int> times = worked_off(pool, num_tasks, num_ranks, random);
    EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](int count) { return count == 1; })) << rule << ", seed " << seed;
  }
}

}  // namespace
}  // namespace frond
