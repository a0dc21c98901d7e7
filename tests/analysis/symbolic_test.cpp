// SPDX-License-Identifier: BSD-3-Clause
// Tests predicted flops and entries against sums over the columns of the naive factor and over the fronts.
#include "analysis/symbolic.hpp"

#include <gtest/gtest.h>

#include "tests/support/matrices/patterns.hpp"
#include "tests/support/oracles/reference.hpp"

namespace frond::test {
namespace {

struct Sums {
  double cholesky_flops = 0;
  double lu_flops = 0;
  Count entries_of_l = 0;
};

/// Adds a column of L with `count` entries: the definitions of FactorizationEstimate.
void add_column(Sums& sums, double count) {
  sums.cholesky_flops += count * count;
  sums.lu_flops += (count - 1) + 2 * (count - 1) * (count - 1);
  sums.entries_of_l += static_cast<Count>(count);
}

Sums sums_over_columns(const NaiveFactor& factor) {
  Sums sums;
  for (const Index count : factor.counts()) add_column(sums, count);
  return sums;
}

Sums sums_over_fronts(const AssemblyTree& tree) {
  Sums sums;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    for (Index k = 0; k < tree.num_fully_summed(node); ++k) add_column(sums, tree.front_order(node) - k);
  }
  return sums;
}

TEST(Estimate, SumsOverColumnsAndOverFronts) {
  for (const Pattern& pattern : random_sample()) {
    const auto symbolic = analyze(pattern.view(), {.block_triangular = Use::never});
    const Sums exact = sums_over_columns(NaiveFactor(pattern.view(), symbolic->permutation().perm));
    const Sums fronts = sums_over_fronts(symbolic->tree());
    const FactorizationEstimate symmetric = symbolic->estimate(Method::ldlt);
    EXPECT_DOUBLE_EQ(symmetric.elimination_flops, exact.cholesky_flops);
    EXPECT_DOUBLE_EQ(symmetric.front_flops, fronts.cholesky_flops);
    EXPECT_EQ(symmetric.exact_factor_entries, exact.entries_of_l);
    EXPECT_EQ(symmetric.factor_entries, fronts.entries_of_l);
    const FactorizationEstimate lu = symbolic->estimate(Method::lu);
    EXPECT_DOUBLE_EQ(lu.elimination_flops, exact.lu_flops);
    EXPECT_DOUBLE_EQ(lu.front_flops, fronts.lu_flops);
    EXPECT_EQ(lu.exact_factor_entries, 2 * exact.entries_of_l - pattern.order);
    EXPECT_EQ(lu.factor_entries, 2 * fronts.entries_of_l - pattern.order);
  }
}

TEST(Estimate, CountsBeyond32Bits) {
  // one front of order 100000
  const Symbolic symbolic({}, {}, AssemblyTree({kNoParent}, {0, 100000}, {0, 0}, {}), {}, {}, Symmetry::general, 100000, 0,
                          5000050000.0, 333338333350000.0);
  EXPECT_EQ(symbolic.estimate(Method::cholesky).factor_entries, 5000050000);
  EXPECT_EQ(symbolic.estimate(Method::lu).exact_factor_entries, 10000000000);
  EXPECT_DOUBLE_EQ(symbolic.estimate(Method::cholesky).front_flops, 333338333350000.0);
  EXPECT_EQ(symbolic.estimate(Method::lu).max_front_order, 100000);
}

TEST(Symbolic, KnowsWhatItWasMadeFrom) {
  const Pattern pattern = grid_pattern(20, 20, 1);
  const auto symbolic = analyze(pattern.view());
  EXPECT_EQ(symbolic->order(), 400);
  EXPECT_EQ(symbolic->symmetry(), Symmetry::symmetric);
  EXPECT_EQ(symbolic->ordering().num_compressed, 400);
  EXPECT_GE(symbolic->ordering().analysis_seconds, symbolic->ordering().ordering_seconds);
  const Count arrays = Count{2} * 400 * Count{sizeof(Index)} + symbolic->tree().memory_bytes() + symbolic->entries().memory_bytes();
  EXPECT_EQ(symbolic->memory_bytes(), arrays + static_cast<Count>(sizeof(Symbolic)));
}

}  // namespace
}  // namespace frond::test
