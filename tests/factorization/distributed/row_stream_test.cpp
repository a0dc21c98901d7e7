// SPDX-License-Identifier: BSD-3-Clause
// Tests that every row of a child goes to the one part of its parent that holds its position.
#include "factorization/distributed/row_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {
namespace {

// Cuts [0, num_rows) at random among ranks 0, 1, ...
std::vector<RowShare> random_shares(Index num_rows, Rank num_ranks, std::mt19937& random) {
  std::vector<RowShare> shares;
  for (Index row = 0; row < num_rows;) {
    const auto rank = static_cast<Rank>(shares.size());
    const Index left = num_rows - row;
    const Index end = rank + 1 == num_ranks ? num_rows : row + 1 + static_cast<Index>(random() % static_cast<unsigned>(left));
    shares.push_back({rank, row, end});
    row = end;
  }
  std::vector<Rank> ranks(shares.size());
  std::generate(ranks.begin(), ranks.end(), [next = 0]() mutable { return next++; });
  std::shuffle(ranks.begin(), ranks.end(), random);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i].rank = ranks[i];
  }
  return shares;
}

bool holds(const std::vector<RowShare>& shares, Rank rank, Index row) {
  return std::any_of(shares.begin(), shares.end(),
                     [&](const RowShare& share) { return share.rank == rank && share.row_begin <= row && row < share.row_end; });
}

void expect_each_row_once(const AssemblyTree& tree, const TaskGraph& graph, TaskId id, std::mt19937& random) {
  constexpr Rank kNumRanks = 4;
  const Task& task = graph.task(id);
  const NodeId parent = graph.task(task.parent).node_begin;
  const std::vector<NodeId> tops = task_tops(tree, task);
  const std::vector<RowShare> parent_shares =
      random() % 3 == 0 ? std::vector<RowShare>() : random_shares(tree.cb_order(parent), kNumRanks, random);
  const bool is_shared = tops.size() == 1 && random() % 2 == 0;
  ChildOutput child{id, graph.task(id).rank, {}};
  child.announcement.tops.resize(tops.size());
  child.announcement.tops[0].rows.assign(random() % 2, 0);
  if (is_shared) {
    child.announcement.shares = random_shares(tree.cb_order(tops[0]), kNumRanks, random);
  }
  const FrontPlan plan{task.parent, graph.task(task.parent).rank, parent_shares, {child}};
  std::vector<std::vector<int>> seen;
  seen.reserve(tops.size());
  for (const NodeId top : tops) {
    seen.emplace_back(static_cast<std::size_t>(tree.cb_order(top)), 0);
  }
  Index num_delayed_streams = 0;
  RowMap map;
  for_each_row_map(plan, [&map](const ChildOutput& /*child*/, const RowMap& of_child) { map = of_child; });
  for (const RowStream& stream : row_streams(tree, graph, id, child.master, child.announcement.shares, map)) {
    const auto top = static_cast<std::size_t>(std::find(tops.begin(), tops.end(), stream.child) - tops.begin());
    num_delayed_streams += stream.has_delayed_rows ? 1 : 0;
    EXPECT_TRUE(!stream.has_delayed_rows || stream.target.role == PartRole::master);
    for (Index row = stream.row_begin; row < stream.row_end; ++row) {
      ++seen[top][row];
      const Index behind = tree.relative_indices(stream.child)[row] - tree.num_fully_summed(parent);
      const bool goes_to_slave = behind >= 0 && !parent_shares.empty();
      EXPECT_EQ(stream.target.role == PartRole::slave, goes_to_slave);
      EXPECT_TRUE(goes_to_slave ? holds(parent_shares, stream.to, behind) : stream.to == graph.task(task.parent).rank);
      EXPECT_EQ(stream.source.role == PartRole::slave, is_shared);
      EXPECT_TRUE(is_shared ? holds(child.announcement.shares, stream.from, row) : stream.from == task.rank);
    }
  }
  EXPECT_EQ(num_delayed_streams, static_cast<Index>(child.announcement.tops[0].rows.size()));
  for (const std::vector<int>& rows : seen) {
    EXPECT_EQ(std::count(rows.begin(), rows.end(), 1), static_cast<std::ptrdiff_t>(rows.size()));
  }
}

TEST(RowStream, EachRowGoesOnceToThePartThatHoldsItsPosition) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const RankProblem<double> problem(Method::ldlt, 7, Values::dominant, Types::row_distributed, 5);
  const AssemblyTree& tree = problem.symbolic->tree();
  const TaskGraph graph(tree, Method::ldlt, 8, problem.mapping);
  int num_children = 0;
  for (int trial = 0; trial < 20; ++trial) {
    for (TaskId id = 0; id < graph.num_tasks(); ++id) {
      if (graph.task(id).parent != kNoTask) {
        expect_each_row_once(tree, graph, id, random);
        ++num_children;
      }
    }
  }
  EXPECT_GT(num_children, 0);
}

TEST(RowStream, CountsTheScalarsOfBothShapes) {
  RowStream stream{.row_begin = 1, .row_end = 3, .num_delayed = 2};
  EXPECT_EQ(stream_entries(stream, 5, Method::ldlt), 2 * 2 + 2 + 3);
  EXPECT_EQ(stream_entries(stream, 5, Method::lu), 2 * 7);
  stream.has_delayed_rows = true;
  EXPECT_EQ(stream_entries(stream, 5, Method::ldlt), 3 + 2 * 2 + 2 + 3);
  EXPECT_EQ(stream_entries(stream, 5, Method::lu), 4 * 7);
}

TEST(RowStreams, OfTheTwoChildrenThatSendMostAreAddedOnArrival) {
  const auto stream = [](NodeId child, Count bytes) {
    const RowStream one{.child = child};
    return SizedStream{one, bytes};
  };
  const std::vector<SizedStream> streams = {stream(7, 10), stream(9, 25), stream(3, 20), stream(7, 20), stream(8, 5)};
  const FrontPart slave{0, PartRole::slave};
  EXPECT_EQ(children_added_on_arrival(slave, streams), (std::vector<NodeId>{7, 9}));
  EXPECT_EQ(children_added_on_arrival({0, PartRole::grid}, streams), (std::vector<NodeId>{7, 9}));
  EXPECT_EQ(children_added_on_arrival({0, PartRole::master}, streams), std::vector<NodeId>()) << "it has no memory yet";
  EXPECT_EQ(children_added_on_arrival(slave, {}), std::vector<NodeId>());
  EXPECT_EQ(children_added_on_arrival(slave, {stream(4, 1)}), std::vector<NodeId>{4});
  EXPECT_EQ(waiting_bytes(streams, {7, 9}), 25);
  EXPECT_EQ(waiting_bytes(streams, {}), 80);
}

}  // namespace
}  // namespace frond::test
