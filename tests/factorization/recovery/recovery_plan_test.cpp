// SPDX-License-Identifier: BSD-3-Clause
// Tests plans for ranks that leave: the remaining ranks do everything, once, and shares stay consecutive.
#include "factorization/recovery/recovery_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <set>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {
namespace {

constexpr Count kPlenty = Count{1} << 50;

// A factorization at rest at some point: everything below a finished front is finished, and rows are dealt at random.
class Rest {
 public:
  Rest(const RankProblem<double>& problem, std::mt19937& random)
      : state{problem.symbolic->tree(), problem.method, 8, problem.mapping, {}, {}, {}} {
    const AssemblyTree& tree = state.tree;
    state.finished.assign(static_cast<std::size_t>(tree.num_nodes()), Finished::no);
    const std::size_t odds = 1 + random() % 8;
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      const auto children = tree.children(node);
      const bool may_be =
          std::all_of(children.begin(), children.end(), [&](NodeId child) { return state.finished[child] != Finished::no; });
      if (may_be && random() % odds == 0) {
        state.finished[node] = Finished::held;
        if (problem.mapping.type(node) == NodeType::row_distributed) {
          deal(node, random);
        }
      }
    }
    state.free_bytes.assign(static_cast<std::size_t>(problem.mapping.num_ranks()), kPlenty);
  }

  RestingState state;

 private:
  void deal(NodeId node, std::mt19937& random) {
    const auto candidates = state.mapping.candidates(node);
    std::vector<Rank> ranks(candidates.begin(), candidates.end());
    std::shuffle(ranks.begin(), ranks.end(), random);
    Index begin = 0;
    const Index end = state.tree.cb_order(node);
    for (std::size_t k = 0; k < ranks.size() && begin < end; ++k) {
      const Index to = k + 1 == ranks.size() ? end : std::min<Index>(end, begin + 1 + static_cast<Index>(random() % 5));
      state.shares[node].push_back({ranks[k], begin, to});
      begin = to;
    }
  }
};

std::string wrong_with(const RestingState& state, const RecoveryPlan& plan) {
  const auto leaves = [&plan](Rank rank) { return std::binary_search(plan.leaving.begin(), plan.leaving.end(), rank); };
  std::set<std::tuple<NodeId, PartRole, Rank>> moved;
  for (const MovedPart& part : plan.moves) {
    if (!leaves(part.from) || leaves(part.to)) {
      return "moves from who stays, or to who leaves";
    }
    if (!moved.insert({part.node, part.role, part.from}).second) {
      return "moves twice";
    }
  }
  for (NodeId node = 0; node < state.tree.num_nodes(); ++node) {
    const Rank before = state.mapping.master(node);
    const bool is_finished = state.finished[node] != Finished::no;
    if (leaves(plan.mapping.master(node)) || (!leaves(before) && plan.mapping.master(node) != before)) {
      return "the master of node " + std::to_string(node);
    }
    if (moved.contains({node, PartRole::master, before}) != (is_finished && leaves(before))) {
      return "node " + std::to_string(node) + " moves, or does not";
    }
    const auto candidates = plan.mapping.candidates(node);
    if (std::any_of(candidates.begin(), candidates.end(), leaves) || candidates.empty() ||
        std::find(candidates.begin(), candidates.end(), plan.mapping.master(node)) == candidates.end()) {
      return "candidates of node " + std::to_string(node);
    }
    if (!is_finished && plan.mapping.type(node) == NodeType::row_distributed && candidates.size() < 2) {
      return "nobody can be a slave of node " + std::to_string(node);
    }
  }
  for (const auto& [node, shares] : plan.shares) {
    Index row = 0;
    std::set<Rank> ranks;
    for (const RowShare& share : shares) {
      if (share.row_begin != row || leaves(share.rank) || !ranks.insert(share.rank).second) {
        return "the shares of node " + std::to_string(node);
      }
      row = share.row_end;
    }
    if (row != state.tree.cb_order(node)) {
      return "rows of node " + std::to_string(node) + " are lost";
    }
    for (const RowShare& share : state.shares.at(node)) {
      if (leaves(share.rank) != moved.contains({node, PartRole::slave, share.rank})) {
        return "rows of node " + std::to_string(node) + " move, or do not";
      }
    }
  }
  return "";
}

TEST(RecoveryPlan, LeavesEverythingToWhoStays) {
  const std::uint32_t seed = std::random_device{}();
  std::cout << "seed " << seed << '\n';
  std::mt19937 random(seed);
  Count num_moves = 0;
  for (int i = 0; i < 300; ++i) {
    const auto num_ranks = static_cast<Rank>(2 + random() % 9);
    const RankProblem<double> problem(Method::lu, 5, Values::random, random() % 2 == 0 ? Types::grid : Types::row_distributed,
                                      num_ranks);
    const Rest rest(problem, random);
    std::vector<Rank> leaving;
    for (Rank rank = 0; rank < num_ranks; ++rank) {
      if (random() % 3 == 0) {
        leaving.push_back(rank);
      }
    }
    const RootGrid& grid = problem.mapping.root_grid();
    const bool has_grid = grid.node != kNoNode && rest.state.finished[grid.node] != Finished::no;
    if (static_cast<Rank>(leaving.size()) == num_ranks || has_grid) {
      continue;
    }
    const RecoveryPlan plan = plan_recovery(rest.state, leaving);
    EXPECT_EQ(plan.leaving, leaving);
    ASSERT_EQ(wrong_with(rest.state, plan), "");
    num_moves += static_cast<Count>(plan.moves.size());

    const std::vector<std::byte> bytes = encode(plan);
    ByteReader reader(bytes);
    const RecoveryPlan read = read_recovery_plan(reader, problem.mapping);
    reader.expect_end();
    ASSERT_EQ(wrong_with(rest.state, read), "");
    EXPECT_EQ(read.moves, plan.moves);
    EXPECT_EQ(read.moved_bytes, plan.moved_bytes);
  }
  EXPECT_GT(num_moves, 100);
}

TEST(RecoveryPlan, RefusesWhatCannotBe) {
  std::mt19937 random(1);
  const RankProblem<double> problem(Method::lu, 5, Values::random, Types::grid, 3);
  Rest rest(problem, random);
  EXPECT_THROW((void)plan_recovery(rest.state, std::vector<Rank>{0, 1, 2}), UsageError);
  std::fill(rest.state.finished.begin(), rest.state.finished.end(), Finished::held);
  rest.state.shares.clear();
  EXPECT_THROW((void)plan_recovery(rest.state, std::vector<Rank>{1}), UsageError) << "of a root on the grid";
}

TEST(RecoveryPlan, NamesTheMemoryThatIsMissing) {
  std::mt19937 random(1);
  const RankProblem<double> problem(Method::cholesky, 5, Values::dominant, Types::sequential, 2);
  Rest rest(problem, random);
  std::fill(rest.state.finished.begin(), rest.state.finished.end(), Finished::held);
  rest.state.shares.clear();
  rest.state.free_bytes.assign(2, 10);
  const auto error = testing::error_of<MemoryError>([&] { (void)plan_recovery(rest.state, std::vector<Rank>{1}); });
  EXPECT_GT(error.needed_bytes(), 10);
  EXPECT_EQ(error.limit_bytes(), 10);
}

}  // namespace
}  // namespace frond::test
