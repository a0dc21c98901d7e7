// SPDX-License-Identifier: BSD-3-Clause
// Tests estimates per rank against sums over the tree and against runs by hand.
#include "analysis/mapping/mapping_estimate.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/mapping/split_fronts.hpp"
#include "analysis/tree/front_cost.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/trees.hpp"

namespace frond::test {
namespace {

TEST(MappingEstimate, AddsUpToTheTotalsOfTheTree) {
  for (const AssemblyTree& tree : sample_of_trees()) {
    for (const Rank num_ranks : {1, 2, 5, 64}) {
      for (const Method method : kRealMethods) {
        const MappingOptions options = small_fronts(num_ranks);
        const AssemblyTree split = split_large_fronts(tree, method, options);
        const MappingEstimate estimate = estimate_mapping(split, map_tree(split, method, options), method, sizeof(float));
        FrontCost total;
        for (NodeId node = 0; node < split.num_nodes(); ++node) {
          total += elimination_cost(split.front_order(node), split.num_fully_summed(node), method);
        }
        double flops = 0;
        Count bytes = 0;
        for (const RankEstimate& rank : estimate.ranks) {
          EXPECT_GE(rank.flops, -1e-9 * total.flops);
          flops += rank.flops;
          bytes += rank.factor_bytes;
        }
        EXPECT_NEAR(flops, total.flops, 1e-12 * total.flops);
        EXPECT_NEAR(static_cast<double>(bytes), 4 * total.entries, 1e-12 * total.entries + num_ranks);  // rounded on each rank
        EXPECT_NEAR(estimate.total_flops(), total.flops, 1e-12 * total.flops);
      }
    }
  }
}

TEST(MappingEstimate, HasTheSequentialPeakOnOneRank) {
  for (const AssemblyTree& tree : sample_of_trees()) {
    for (const Method method : kRealMethods) {
      const MappingEstimate estimate = estimate_mapping(tree, map_tree(tree, method, small_fronts(1)), method, 8);
      const auto block = [&](NodeId node) { return cb_entries(tree.cb_order(node), is_symmetric(method)); };
      Count alive = 0;
      Count peak = 0;
      for (NodeId node = 0; node < tree.num_nodes(); ++node) {
        peak = std::max(peak, alive += block(node));
        std::ranges::for_each(tree.children(node), [&](NodeId child) { alive -= block(child); });
      }
      EXPECT_EQ(estimate.ranks[0].peak_active_bytes, 8 * peak);
    }
  }
}

// [rank] = the peak of active memory or the factors of a rank.
std::vector<Count> of_ranks(const MappingEstimate& estimate, Count RankEstimate::*figure) {
  std::vector<Count> figures;
  for (const RankEstimate& rank : estimate.ranks) figures.push_back(rank.*figure);
  return figures;
}

/// Leaves 0 and 1 on ranks 0 and 1, node 2 of type 2 above them with master 1 and slaves 0 and 2, and the root 3 on rank 2.
TEST(MappingEstimate, FollowsASmallRunByHand) {
  const AssemblyTree tree = full_tree({2, 2, 3, kNoParent}, {1, 1, 2, 4});
  const Mapping mapping(3, 4, {{0, 1, 0}, {1, 2, 1}},
                        {{2, NodeType::row_distributed, 1, {0, 3}}, {3, NodeType::sequential, 2, {0, 3}}}, {});
  const MappingEstimate estimate = estimate_mapping(tree, mapping, Method::lu, 1);
  // Fronts: 0 and 1 of order 7 with 1 pivot, 2 of order 6 with 2, 3 of order 4 with 4. Contribution blocks 36, 36, 16 (8 per
  // slave).
  EXPECT_EQ(of_ranks(estimate, &RankEstimate::peak_active_bytes), (std::vector<Count>{36 + 8, 36, 8}));
  // Factors: 13 of each leaf; of node 2 12 with the master and 4 with each slave; 16 of the root.
  EXPECT_EQ(of_ranks(estimate, &RankEstimate::factor_bytes), (std::vector<Count>{13 + 4, 13 + 12, 4 + 16}));
  // Flops of a slave of node 2: 4 rows with 1 + 2 * 5 and 1 + 2 * 4, halved; of a leaf 6 + 2 * 36.
  EXPECT_DOUBLE_EQ(estimate.ranks[0].flops, 78 + 40);
  EXPECT_DOUBLE_EQ(estimate.ranks[1].flops, 78 + 11);  // the master's second row at the first pivot
  EXPECT_DOUBLE_EQ(estimate.ranks[2].flops, 40 + (3 + 18) + (2 + 8) + (1 + 2));
  EXPECT_DOUBLE_EQ(estimate.factor_bytes.mean, 62.0 / 3);
  EXPECT_DOUBLE_EQ(estimate.factor_bytes.least, 17);
  EXPECT_DOUBLE_EQ(estimate.factor_bytes.largest, 25);
  EXPECT_DOUBLE_EQ(estimate.factor_bytes.imbalance(), 25 * 3 / 62.0);
  // Without factors: a leaf's block and its 13 entries; at node 2 with 4 of a slave or 12 of the master, with a leaf's block; the
  // root's 16 with 8 of node 2.
  const MappingEstimate none = estimate_mapping(tree, mapping, Method::lu, 1, KeptFactors::none);
  EXPECT_EQ(of_ranks(none, &RankEstimate::peak_active_bytes), (std::vector<Count>{36 + 13, 36 + 13, 8 + 16}));
  EXPECT_EQ(none.factor_bytes.largest, 0);
  EXPECT_EQ(none.ranks[0].flops, estimate.ranks[0].flops);
  // Half of the factors: 7 of each leaf; 6 + 5 of node 2, on its master; the root's triangle of 10. Fronts need as much as before.
  const MappingEstimate half = estimate_mapping(tree, mapping, Method::lu, 1, KeptFactors::backward);
  EXPECT_EQ(of_ranks(half, &RankEstimate::factor_bytes), (std::vector<Count>{7, 7 + 11, 10}));
  EXPECT_EQ(of_ranks(half, &RankEstimate::peak_active_bytes), of_ranks(none, &RankEstimate::peak_active_bytes));
  // LDLT holds the 6 entries of the root above its diagonal as well, in addition to the 10 below and 5 of node 2's block. A leaf's
  // block is held together with a slave's 5 and 4.
  const MappingEstimate symmetric = estimate_mapping(tree, mapping, Method::ldlt, 1, KeptFactors::none);
  EXPECT_EQ(symmetric.ranks[0].peak_active_bytes, 21 + 5 + 4);
  EXPECT_EQ(symmetric.ranks[2].peak_active_bytes, 5 + 10 + 6);
}

// The same after ranks 0 and 2 have left, and the parts of node 2 are with its master.
TEST(MappingEstimate, GivesTheMasterAllOfAFrontWhoseSlavesHaveLeft) {
  const AssemblyTree tree = full_tree({2, 2, 3, kNoParent}, {1, 1, 2, 4});
  const Mapping mapping({.num_ranks = 3,
                         .members = {1},
                         .num_nodes = 4,
                         .subtrees = {{0, 1, 1}, {1, 2, 1}},
                         .upper_nodes = {{2, NodeType::row_distributed, 1, {0, 3}}, {3, NodeType::sequential, 1, {1, 2}}}});
  const MappingEstimate estimate = estimate_mapping(tree, mapping, Method::lu, 1);
  EXPECT_EQ(of_ranks(estimate, &RankEstimate::factor_bytes), (std::vector<Count>{0, 13 + 13 + 20 + 16, 0}));
  EXPECT_EQ(of_ranks(estimate, &RankEstimate::peak_active_bytes), (std::vector<Count>{0, 36 + 36 + 16, 0}));
  EXPECT_DOUBLE_EQ(estimate.ranks[1].flops, estimate.total_flops());
}

TEST(MappingEstimate, SpreadsTheGridEvenly) {
  const AssemblyTree tree = full_tree({kNoParent}, {16});
  const MappingEstimate estimate = estimate_mapping(tree, map_tree(tree, Method::lu, small_fronts(5)), Method::lu, 8);
  const MappingEstimate half =
      estimate_mapping(tree, map_tree(tree, Method::lu, small_fronts(5)), Method::lu, 8, KeptFactors::backward);
  for (Rank rank = 0; rank < 5; ++rank) {
    EXPECT_EQ(estimate.ranks[rank].factor_bytes, rank < 4 ? 16 * 16 * 8 / 4 : 0);
    EXPECT_EQ(half.ranks[rank].factor_bytes, estimate.ranks[rank].factor_bytes);  // solves need all of it
  }
}

// It costs no flops and is always kept; on one rank Cholesky stores its lower triangle.
TEST(MappingEstimate, CountsASchurComplement) {
  const AssemblyTree tree = full_tree({kNoParent}, {16}, 0);
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    for (const KeptFactors kept : {KeptFactors::all, KeptFactors::backward, KeptFactors::none}) {
      for (const Rank num_ranks : {1, 5}) {
        const MappingOptions options = small_fronts(num_ranks);
        const MappingEstimate estimate = estimate_mapping(tree, map_tree(tree, method, options), method, 8, kept);
        const Count entries = num_ranks > 1 ? 16 * 16 / 4 : method == Method::cholesky ? 16 * 17 / 2 : 16 * 16;
        for (Rank rank = 0; rank < num_ranks; ++rank) {
          EXPECT_EQ(estimate.ranks[rank].factor_bytes, rank < 4 ? 8 * entries : 0);
          EXPECT_EQ(estimate.ranks[rank].flops, 0);
          EXPECT_EQ(estimate.ranks[rank].peak_active_bytes, 0);
        }
      }
    }
  }
}

TEST(MappingEstimate, OfNothingIsNothing) {
  const MappingEstimate estimate =
      estimate_mapping(AssemblyTree(), map_tree(AssemblyTree(), Method::lu, small_fronts(3)), Method::lu, 8);
  EXPECT_EQ(estimate.ranks.size(), 3);
  EXPECT_EQ(estimate.total_flops(), 0);
  EXPECT_EQ(estimate.flops.imbalance(), 1);
}

}  // namespace
}  // namespace frond::test
