// SPDX-License-Identifier: BSD-3-Clause
// Tests that the pool hands out all units, each once.
#include "factorization/ranks/unit_pool.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/matrices/random_tree.hpp"

namespace frond::test {
namespace {

constexpr Count kNoLimit = Count{1} << 60;

struct Cut {
  Cut(std::uint64_t seed, Rank num_ranks)
      : tree(random_tree(1500, 40, seed)),
        mapping(map_tree(tree, Method::lu, {.num_ranks = num_ranks})),
        graph(tree, Method::lu, 8, mapping, KeptFactors::all, {}, {.tasks_move = true, .least_seconds = 1e-6}),
        members(static_cast<std::size_t>(num_ranks)) {
    std::iota(members.begin(), members.end(), 0);
  }

  AssemblyTree tree;
  Mapping mapping;
  TaskGraph graph;
  std::vector<Rank> members;
};

TEST(UnitPool, CutsAllLeavesIntoUnits) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Cut cut(seed, static_cast<Rank>(2 + seed));
    std::vector<char> is_in_unit(static_cast<std::size_t>(cut.graph.num_tasks()), 0);
    for (const TaskId top : pool_units(cut.graph, cut.members.size())) {
      for (TaskId id = cut.graph.task(top).unit.first; id <= top; ++id) {
        EXPECT_TRUE(cut.graph.task(id).may_move);
        EXPECT_EQ(std::exchange(is_in_unit[id], 1), 0) << "in two units";
      }
    }
    for (TaskId id = 0; id < cut.graph.num_tasks(); ++id) {
      const bool is_leaf = cut.graph.task(id).may_move && cut.graph.task(id).num_children == 0;
      EXPECT_TRUE(!is_leaf || is_in_unit[id] != 0) << "a leaf in none";
    }
  }
}

TEST(UnitPool, GivesEachUnitOnceByEveryRule) {
  std::mt19937 random(1);
  for (int kind = 0; kind <= static_cast<int>(ChunkKind::af); ++kind) {
    const Cut cut(static_cast<std::uint64_t>(kind), 5);
    UnitPool pool(cut.graph, cut.members, static_cast<ChunkKind>(kind));
    std::set<TaskId> given;
    std::vector<DoneChunk> done(5);
    while (pool.num_left() > 0) {
      const auto rank = static_cast<Rank>(random() % 5);
      pool.note(rank, done[rank]);
      const std::vector<TaskId> tops = pool.take(rank, kNoLimit);
      ASSERT_FALSE(tops.empty()) << kind;
      for (const TaskId top : tops) {
        EXPECT_TRUE(given.insert(top).second) << kind;
      }
      done[rank] = {static_cast<Index>(tops.size()), 0.01 * static_cast<double>(tops.size()),
                    0.011 * static_cast<double>(tops.size())};
    }
    const std::vector<TaskId> units = pool_units(cut.graph, 5);
    EXPECT_EQ(std::vector<TaskId>(given.begin(), given.end()), units) << kind;
    EXPECT_TRUE(pool.take(0, kNoLimit).empty());
  }
}

TEST(UnitPool, GivesOwnUnitsInTheirOrderWhateverTheyNeedAndOthersIfTheyFit) {
  const Cut cut(3, 3);
  UnitPool pool(cut.graph, cut.members, ChunkKind::ss);
  TaskId last = -1;
  std::vector<TaskId> tops = pool.take(1, 0);
  ASSERT_FALSE(tops.empty());
  for (; !tops.empty(); tops = pool.take(1, 0)) {
    for (const TaskId top : tops) {
      EXPECT_EQ(cut.graph.task(top).rank, 1);
      EXPECT_GT(top, last);
      last = top;
    }
  }
  EXPECT_GT(pool.num_left(), 0) << "what others have needs memory";
  tops = pool.take(1, kNoLimit);
  ASSERT_FALSE(tops.empty());
  const Rank owner = cut.graph.task(tops.front()).rank;
  EXPECT_NE(owner, 1);
  for (const TaskId top : pool_units(cut.graph, 3)) {
    EXPECT_TRUE(cut.graph.task(top).rank != owner || top <= tops.front()) << "from the end";
  }
}

}  // namespace
}  // namespace frond::test
