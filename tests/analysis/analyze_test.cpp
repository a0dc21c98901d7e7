// SPDX-License-Identifier: BSD-3-Clause
// Tests the analysis as a whole: structure, entries and permutation against naive elimination for every ordering.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "analysis/symbolic.hpp"
#include "frond/error.hpp"
#include "tests/support/matrices/patterns.hpp"
#include "tests/support/oracles/reference.hpp"

namespace frond::test {
namespace {

AnalysisOptions options_for(OrderingKind kind, bool amalgamated, Index order) {
  AnalysisOptions options{.ordering = {.kind = kind}, .amalgamate = amalgamated};
  options.block_triangular = Use::never;  // one tree of all entries
  if (kind == OrderingKind::given) options.ordering.perm = random_permutation(order, 7);
  return options;
}

void expect_consistent(const Symbolic& symbolic, const PatternView& pattern, bool exact) {
  ASSERT_EQ(check_permutation(symbolic.permutation()), "");
  const NaiveFactor factor(pattern, symbolic.permutation().perm);
  EXPECT_EQ(check_structure(symbolic.tree(), factor, exact), "");
  EXPECT_EQ(check_entries(symbolic.entries(), symbolic.tree(), pattern, symbolic.permutation().inverse_perm), "");
}

class AnalyzeWithOrdering : public ::testing::TestWithParam<OrderingKind> {};

TEST_P(AnalyzeWithOrdering, AgreesWithNaiveEliminationOnRandomPatterns) {
  for (const Pattern& pattern : random_sample()) {
    SCOPED_TRACE(::testing::Message() << "order " << pattern.order << ", " << pattern.row_indices.size() << " entries");
    const auto exact = analyze(pattern.view(), options_for(GetParam(), false, pattern.order));
    expect_consistent(*exact, pattern.view(), true);
    const auto relaxed = analyze(pattern.view(), options_for(GetParam(), true, pattern.order));
    expect_consistent(*relaxed, pattern.view(), false);
    EXPECT_LE(relaxed->tree().num_nodes(), exact->tree().num_nodes());
  }
}

TEST_P(AnalyzeWithOrdering, AgreesWithNaiveEliminationOnGrids) {
  for (const Pattern& pattern : {grid_pattern(16, 16, 1), grid_pattern(6, 6, 6), grid_pattern(4, 4, 3, 3)}) {
    expect_consistent(*analyze(pattern.view(), options_for(GetParam(), false, pattern.order)), pattern.view(), true);
    expect_consistent(*analyze(pattern.view(), options_for(GetParam(), true, pattern.order)), pattern.view(), false);
  }
}

INSTANTIATE_TEST_SUITE_P(Orderings, AnalyzeWithOrdering,
                         ::testing::Values(OrderingKind::automatic, OrderingKind::dissection, OrderingKind::metis,
                                           OrderingKind::amd, OrderingKind::natural, OrderingKind::given));

void expect_equal(const Symbolic& a, const Symbolic& b) {
  EXPECT_EQ(a.permutation().perm, b.permutation().perm);
  ASSERT_EQ(a.tree().num_nodes(), b.tree().num_nodes());
  for (NodeId node = 0; node < a.tree().num_nodes(); ++node) {
    EXPECT_EQ(a.tree().parent(node), b.tree().parent(node));
    EXPECT_TRUE(std::equal(a.tree().cb_rows(node).begin(), a.tree().cb_rows(node).end(), b.tree().cb_rows(node).begin(),
                           b.tree().cb_rows(node).end()));
  }
}

TEST(Analyze, RepeatsItselfAlsoInTwoThreadsAtOnce) {
  const Pattern pattern = grid_pattern(23, 22, 21);
  for (const OrderingKind kind : {OrderingKind::dissection, OrderingKind::metis}) {
    const auto expected = analyze(pattern.view(), options_for(kind, true, pattern.order));
    std::shared_ptr<const Symbolic> results[2];
    {
      std::jthread first([&] { results[0] = analyze(pattern.view(), options_for(kind, true, pattern.order)); });
      std::jthread second([&] { results[1] = analyze(pattern.view(), options_for(kind, true, pattern.order)); });
    }
    expect_equal(*results[0], *expected);
    expect_equal(*results[1], *expected);
  }
}

TEST(Analyze, AcceptsDuplicates) {
  const Pattern pattern = pattern_of(3, Symmetry::symmetric, {{0, 0}, {1, 0}, {1, 0}, {0, 1}, {2, 2}, {2, 2}});
  expect_consistent(*analyze(pattern.view()), pattern.view(), false);
}

TEST(Analyze, HandlesADiagonalMatrixOfManyRows) {
  Pattern pattern{1000000, Symmetry::general, {0}, {}};
  for (Index k = 0; k < pattern.order; ++k) {
    pattern.row_indices.push_back(k);
    pattern.column_offsets.push_back(k + 1);
  }
  const auto symbolic = analyze(pattern.view());
  EXPECT_EQ(symbolic->ordering().kind, OrderingKind::natural);
  EXPECT_EQ(symbolic->tree().num_nodes(), pattern.order);
  EXPECT_EQ(symbolic->estimate(Method::lu).factor_entries, pattern.order);
}

}  // namespace
}  // namespace frond::test
