// SPDX-License-Identifier: BSD-3-Clause
// Tests chains that replace large fronts: the same factors in more pieces.
#include "analysis/mapping/split_fronts.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "analysis/mapping/node_types.hpp"
#include "analysis/symbolic.hpp"
#include "analysis/tree/front_cost.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/patterns.hpp"
#include "tests/support/matrices/trees.hpp"
#include "tests/support/oracles/reference.hpp"

namespace frond::test {
namespace {

/// Returns the rows of L in the column of each variable, as the fronts hold them.
std::vector<std::vector<Index>> columns_of(const AssemblyTree& tree) {
  std::vector<std::vector<Index>> columns;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const Index end = tree.variable_begin(node) + tree.num_fully_summed(node);
    for (Index variable = tree.variable_begin(node); variable < end; ++variable) {
      std::vector<Index>& rows = columns.emplace_back(end - variable);
      std::iota(rows.begin(), rows.end(), variable);
      rows.insert(rows.end(), tree.cb_rows(node).begin(), tree.cb_rows(node).end());
    }
  }
  return columns;
}

bool is_same(const AssemblyTree& a, const AssemblyTree& b) {
  if (a.num_nodes() != b.num_nodes() || columns_of(a) != columns_of(b)) return false;
  for (NodeId node = 0; node < a.num_nodes(); ++node) {
    if (a.parent(node) != b.parent(node) || a.num_fully_summed(node) != b.num_fully_summed(node)) return false;
  }
  return true;
}

TEST(SplitLargeFronts, MakesAChainOfAnLdltRoot) {
  const AssemblyTree root = full_tree({kNoParent}, {2000});
  MappingOptions options{.num_ranks = 2};
  const AssemblyTree split = split_large_fronts(root, Method::ldlt, options);
  ASSERT_EQ(split.num_nodes(), 2);
  // One slave: p^3 / 3 = (m^3 - (m - p)^3) / 3 - p^3 / 3 for the share x = p / m means x^2 + 3 x = 3, x = 0.79.
  EXPECT_NEAR(split.num_fully_summed(0), 0.791 * 2000, 2);
  EXPECT_EQ(split.cb_order(0), split.num_fully_summed(1));
  EXPECT_EQ(split.cb_rows(0).front(), split.num_fully_summed(0));
  EXPECT_EQ(split.parent(0), 1);
  options.num_ranks = 16;
  const AssemblyTree finer = split_large_fronts(root, Method::ldlt, options);
  EXPECT_GT(finer.num_nodes(), 3);
  EXPECT_EQ(
      max_slaves(finer.front_order(finer.num_nodes() - 1), finer.num_fully_summed(finer.num_nodes() - 1), Method::ldlt, options),
      0);  // the top is of type 1
}

TEST(SplitLargeFronts, LeavesTheRootOfTheGridWhole) {
  const AssemblyTree forest = full_tree({kNoParent, kNoParent}, {2500, 2000});
  for (const Method method : {Method::cholesky, Method::lu}) {
    const AssemblyTree split = split_large_fronts(forest, method, {.num_ranks = 8});
    EXPECT_EQ(split.num_fully_summed(0), 2500);
    EXPECT_GT(split.num_nodes(), 2);  // the other root has no grid
  }
}

TEST(SplitLargeFronts, ChangesNothingForOneRankOrWhenSwitchedOff) {
  for (const AssemblyTree& tree : sample_of_trees()) {
    MappingOptions options = small_fronts(1);
    EXPECT_TRUE(is_same(split_large_fronts(tree, Method::ldlt, options), tree));
    options.num_ranks = 8;
    options.split_fronts = false;
    EXPECT_TRUE(is_same(split_large_fronts(tree, Method::ldlt, options), tree));
  }
}

TEST(SplitLargeFronts, KeepsEveryColumnOfTheFactors) {
  Index num_split = 0;
  for (const AssemblyTree& tree : sample_of_trees()) {
    for (const Rank num_ranks : {2, 5, 64}) {
      for (const Method method : kRealMethods) {
        const MappingOptions options = small_fronts(num_ranks);
        const AssemblyTree split = split_large_fronts(tree, method, options);
        EXPECT_EQ(columns_of(split), columns_of(tree));
        EXPECT_EQ(split.roots().size(), tree.roots().size());
        num_split += split.num_nodes() - tree.num_nodes();
      }
    }
  }
  EXPECT_GT(num_split, 100);
}

TEST(SplitLargeFronts, LetsMastersKeepUpWithTheirSlaves) {
  const AssemblyTree tree = full_tree({1, kNoParent}, {2400, 800});
  for (const Method method : kRealMethods) {
    const AssemblyTree split = split_large_fronts(tree, method, {.num_ranks = 8});
    ASSERT_GT(split.num_nodes(), 2);
    const Index order = split.front_order(0);
    const Index pivots = split.num_fully_summed(0);
    const Rank slaves = 7;  // the chain has all ranks
    EXPECT_LE(master_cost(order, pivots, method).flops, slave_cost(order, pivots, 0, order - pivots, method).flops / slaves);
    EXPECT_GT(master_cost(order, pivots + 1, method).flops,
              slave_cost(order, pivots + 1, 0, order - pivots - 1, method).flops / slaves);
  }
}

TEST(SplitLargeFronts, SparesFrontsWhereItDoesNotPay) {
  MappingOptions options{.num_ranks = 8};
  const AssemblyTree root = full_tree({kNoParent}, {1500});
  EXPECT_GT(split_large_fronts(root, Method::ldlt, options).num_nodes(), 1);
  options.entry_transfer_seconds = 1e-5;  // a network of 1 MB/s
  EXPECT_EQ(split_large_fronts(root, Method::ldlt, options).num_nodes(), 1);
  const AssemblyTree small = full_tree({kNoParent}, {200});
  EXPECT_EQ(split_large_fronts(small, Method::ldlt, MappingOptions{.num_ranks = 8}).num_nodes(), 1);
}

TEST(Analyze, MapsEntriesToTheSplitTree) {
  for (const Pattern& pattern : {grid_pattern(16, 16, 1), grid_pattern(6, 6, 6), random_pattern(45, Symmetry::general, 0.3, 3)}) {
    AnalysisOptions options{.mapping = small_fronts(6)};
    options.mapping.grid_order_per_side = 1000;  // none
    const auto split = analyze(pattern.view(), options);
    const auto whole = analyze(pattern.view());
    EXPECT_GT(split->tree().num_nodes(), whole->tree().num_nodes());
    EXPECT_EQ(split->permutation().perm, whole->permutation().perm);
    EXPECT_EQ(split->estimate(Method::lu).factor_entries, whole->estimate(Method::lu).factor_entries);
    EXPECT_EQ(check_structure(split->tree(), NaiveFactor(pattern.view(), split->permutation().perm), false), "");
    EXPECT_EQ(check_entries(split->entries(), split->tree(), pattern.view(), split->permutation().inverse_perm), "");
  }
}

TEST(Analyze, SplitsForTheMethodItIsGiven) {
  const Pattern pattern = grid_pattern(8, 8, 8);
  AnalysisOptions options{.mapping = small_fronts(4)};
  const Index for_ldlt = analyze(pattern.view(), options)->tree().num_nodes();
  options.method = Method::cholesky;
  EXPECT_LT(analyze(pattern.view(), options)->tree().num_nodes(), for_ldlt);
}

}  // namespace
}  // namespace frond::test
