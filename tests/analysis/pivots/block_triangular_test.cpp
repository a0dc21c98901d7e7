// SPDX-License-Identifier: BSD-3-Clause
// Tests strong components against reachability, and levels against the definition of block triangular matrices.
#include "analysis/pivots/block_triangular.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "analysis/analysed_pattern.hpp"
#include "analysis/graph/strong_components.hpp"
#include "analysis/pivots/structural_rank.hpp"
#include "analysis/symbolic.hpp"

namespace frond {
namespace {

struct Pattern {
  std::vector<Count> offsets = {0};
  LargeVector<Index> rows = {};

  [[nodiscard]] Index order() const { return static_cast<Index>(offsets.size()) - 1; }
  [[nodiscard]] PatternView view() const { return {order(), order(), Symmetry::general, offsets, rows}; }
  void add_column(const std::vector<Index>& column) {
    rows.insert(rows.end(), column.begin(), column.end());
    offsets.push_back(static_cast<Count>(rows.size()));
  }
};

// Puts each row's diagonal entry at a random place, so that the rank is full.
Pattern random_pattern(std::mt19937& random, Index order, double density) {
  std::vector<Index> diagonal(static_cast<std::size_t>(order));
  std::iota(diagonal.begin(), diagonal.end(), 0);
  std::shuffle(diagonal.begin(), diagonal.end(), random);
  std::bernoulli_distribution held(density);
  Pattern pattern;
  for (Index j = 0; j < order; ++j) {
    std::vector<Index> column;
    for (Index i = 0; i < order; ++i) {
      if (i == diagonal[j] || held(random)) column.push_back(i);
    }
    pattern.add_column(column);
  }
  return pattern;
}

// reaches[j][k]: column k is reachable from column j along entries and matched rows, by Warshall's loops.
std::vector<std::vector<bool>> reachability(const Pattern& pattern, const std::vector<Index>& column_of_row) {
  const auto n = static_cast<std::size_t>(pattern.order());
  std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n, false));
  for (std::size_t j = 0; j < n; ++j) {
    reaches[j][j] = true;
    for (Count e = pattern.offsets[j]; e < pattern.offsets[j + 1]; ++e) {
      reaches[j][column_of_row[static_cast<std::size_t>(pattern.rows[static_cast<std::size_t>(e)])]] = true;
    }
  }
  for (std::size_t via = 0; via < n; ++via) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) {
        if (reaches[j][via] && reaches[via][k]) reaches[j][k] = true;
      }
    }
  }
  return reaches;
}

std::vector<Index> column_of_row(const Pattern& pattern) {
  std::vector<Index> rows = structural_rank(pattern.view()).row_of_column;
  if (rows.empty()) {
    rows.resize(static_cast<std::size_t>(pattern.order()));
    std::iota(rows.begin(), rows.end(), 0);
  }
  return invert(rows);
}

TEST(StrongComponents, AreColumnsThatReachEachOther) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Pattern pattern = random_pattern(random, 1 + trial % 12, 0.12);
    const std::vector<Index> matched = column_of_row(pattern);
    const StrongComponents components = strong_components(pattern.view(), matched);
    const auto reaches = reachability(pattern, matched);
    for (std::size_t j = 0; j < matched.size(); ++j) {
      EXPECT_TRUE(components.of_column[j] >= 0 && components.of_column[j] < components.count);
      for (std::size_t k = 0; k < matched.size(); ++k) {
        EXPECT_EQ(components.of_column[j] == components.of_column[k], reaches[j][k] && reaches[k][j]) << "trial " << trial;
        EXPECT_TRUE(!reaches[j][k] || components.of_column[k] <= components.of_column[j]) << "trial " << trial;
      }
    }
  }
}

TEST(StrongComponents, OfALongCycleAndALongChainNeedNoRecursion) {
  constexpr Index kOrder = 300000;
  std::vector<Index> own(kOrder);
  std::iota(own.begin(), own.end(), 0);
  Pattern chain;
  Pattern cycle;
  for (Index j = 0; j < kOrder; ++j) {
    chain.add_column(j + 1 < kOrder ? std::vector<Index>{j, j + 1} : std::vector<Index>{j});
    cycle.add_column({j, (j + 1) % kOrder});
  }
  EXPECT_EQ(strong_components(chain.view(), own).count, kOrder);
  EXPECT_EQ(strong_components(cycle.view(), own).count, 1);
}

void expect_form(const Pattern& pattern, const BlockTriangularForm& form) {
  ASSERT_TRUE(form.splits());
  EXPECT_LE(form.num_levels, kMostLevels);
  ASSERT_EQ(form.level_of_row.size(), static_cast<std::size_t>(pattern.order()));
  ASSERT_EQ(form.level_of_column.size(), static_cast<std::size_t>(pattern.order()));
  Count num_coupled = 0;
  for (Index j = 0; j < pattern.order(); ++j) {
    const Index below = form.level_of_column[j];
    EXPECT_TRUE(below >= 0 && below < form.num_levels);
    for (Count e = pattern.offsets[j]; e < pattern.offsets[static_cast<std::size_t>(j) + 1]; ++e) {
      const Index above = form.level_of_row[pattern.rows[static_cast<std::size_t>(e)]];
      EXPECT_LE(above, below);
      num_coupled += above < below ? 1 : 0;
    }
  }
  EXPECT_TRUE(keeps_levels(form, form.row_of_column));
  const SelectedEntries couplings = couplings_of(pattern.view(), form);
  const SelectedEntries diagonal = levels_of(pattern.view(), form);
  EXPECT_EQ(couplings.num_entries(), num_coupled);
  std::vector<Count> sources(couplings.sources.begin(), couplings.sources.end());
  sources.insert(sources.end(), diagonal.sources.begin(), diagonal.sources.end());
  std::sort(sources.begin(), sources.end());
  for (std::size_t e = 0; e < sources.size(); ++e) EXPECT_EQ(sources[e], static_cast<Count>(e));
  EXPECT_EQ(sources.size(), pattern.rows.size());
}

TEST(BlockTriangularForm, LevelsOfRandomPatterns) {
  std::mt19937 random(2);
  int num_split = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Pattern pattern = random_pattern(random, 2 + trial % 30, 0.06);
    const BlockTriangularForm form = find_block_triangular_form(pattern.view(), Use::always);
    const std::vector<Index> matched = column_of_row(pattern);
    EXPECT_EQ(form.num_blocks, strong_components(pattern.view(), matched).count);
    if (form.splits()) {
      ++num_split;
      expect_form(pattern, form);
    }
  }
  EXPECT_GT(num_split, 200);
}

// Blocks of orders 1, 50 and 1 in a chain, and one of order 2 that depends only on the last.
TEST(BlockTriangularForm, TheLargestBlockIsAlone) {
  Pattern pattern;
  pattern.add_column({0});
  for (Index j = 1; j < 51; ++j) {
    pattern.add_column(j == 1 ? std::vector<Index>{0, 1, 2} : std::vector<Index>{j, j == 50 ? 1 : j + 1});
  }
  pattern.add_column({20, 51});
  pattern.add_column({51, 52, 53});
  pattern.add_column({52, 53});
  const BlockTriangularForm form = find_block_triangular_form(pattern.view(), Use::always);
  EXPECT_EQ(form.num_blocks, 4);
  EXPECT_EQ(form.largest_block, 50);
  expect_form(pattern, form);
  const Index level = form.level_of_column[1];
  EXPECT_EQ(std::count(form.level_of_column.begin(), form.level_of_column.end(), level), 50);
}

TEST(BlockTriangularForm, LongChainsBecomeFewLevels) {
  Pattern triangle;  // every column is coupled with all earlier ones
  for (Index j = 0; j < 100; ++j) {
    std::vector<Index> column(static_cast<std::size_t>(j) + 1);
    std::iota(column.begin(), column.end(), 0);
    triangle.add_column(column);
  }
  const BlockTriangularForm form = find_block_triangular_form(triangle.view(), Use::always);
  EXPECT_EQ(form.num_blocks, 100);
  EXPECT_EQ(form.num_levels, kMostLevels);
  expect_form(triangle, form);
}

// A cycle of 200 columns in the middle of that triangle, with one coupling above and one below.
TEST(BlockTriangularForm, TheLargestBlockIsAloneAmongLongChains) {
  Pattern pattern;
  for (Index j = 0; j < 100; ++j) {
    std::vector<Index> column(static_cast<std::size_t>(j) + 1);
    std::iota(column.begin(), column.end(), 0);
    if (j == 32) column.push_back(150);
    pattern.add_column(column);
  }
  for (Index j = 100; j < 300; ++j) {
    pattern.add_column(j == 100 ? std::vector<Index>{30, 100, 101} : std::vector<Index>{j == 299 ? 100 : j + 1, j});
  }
  const BlockTriangularForm form = find_block_triangular_form(pattern.view(), Use::always);
  expect_form(pattern, form);
  EXPECT_LT(form.level_of_column[30], form.level_of_column[100]);
  EXPECT_LT(form.level_of_column[100], form.level_of_column[32]);
}

TEST(BlockTriangularForm, WhatDoesNotSplitStaysWhole) {
  Pattern independent;  // no couplings
  Pattern deficient;    // no row for one of the columns
  for (Index j = 0; j < 5; ++j) {
    independent.add_column({j});
    deficient.add_column(j < 2 ? std::vector<Index>{0} : std::vector<Index>{0, j});
  }
  EXPECT_FALSE(find_block_triangular_form(independent.view(), Use::always).splits());
  EXPECT_FALSE(find_block_triangular_form(deficient.view(), Use::always).splits());
  EXPECT_FALSE(find_block_triangular_form(Pattern{}.view(), Use::always).splits());
}

// A cycle of `giant` columns, on which the other columns depend.
Pattern giant_and_singletons(Index giant, Index order) {
  Pattern pattern;
  for (Index j = 0; j < giant; ++j) pattern.add_column({j, (j + 1) % giant});
  for (Index j = giant; j < order; ++j) pattern.add_column({j % giant, j});
  return pattern;
}

TEST(BlockTriangularForm, AutomaticWhereTheLargestBlockLeavesATenth) {
  const auto levels = [](Index giant, Index order, Use use) {
    return analyze(giant_and_singletons(giant, order).view(), {.block_triangular = use})->blocks().num_levels;
  };
  EXPECT_EQ(levels(900, 1000, Use::automatic), 2);
  EXPECT_EQ(levels(901, 1000, Use::automatic), 1);
  EXPECT_EQ(levels(10, 20, Use::automatic), 2);
  EXPECT_EQ(levels(901, 1000, Use::always), 2);
  EXPECT_EQ(levels(500, 1000, Use::never), 1);
}

// The analysis returns the pattern entry by entry, trees stay within levels, and with the same order and matching given the matrix
// falls into the same levels, at the same cost.
TEST(BlockTriangularForm, AnalysesOfLevels) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Pattern pattern = random_pattern(random, 2 + trial % 30, 0.06);
    const AnalysisOptions options{.ordering = {.kind = trial % 3 == 0 ? OrderingKind::natural : OrderingKind::automatic},
                                  .block_triangular = Use::always};
    const std::vector<double> magnitudes(trial % 2 == 0 ? 0 : pattern.rows.size(), 1.0);
    const auto symbolic = analyze(pattern.view(), options, magnitudes);
    const OwnedPattern recovered = analysed_pattern(*symbolic);
    EXPECT_EQ(recovered.column_offsets, pattern.offsets);
    EXPECT_EQ(recovered.row_indices, pattern.rows);
    EXPECT_EQ(symbolic->num_entries(), static_cast<Count>(pattern.rows.size()));
    if (!symbolic->blocks().splits()) continue;
    EXPECT_TRUE(keeps_levels(symbolic->blocks(), symbolic->row_of_column()));
    const AssemblyTree& tree = symbolic->tree();
    const auto level_of = [&](Index variable) {
      const Index column = symbolic->permutation().perm[variable];
      return symbolic->blocks().level_of_column[column];
    };
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      const Index level = level_of(tree.variable_begin(node));
      for (Index k = 0; k < tree.num_fully_summed(node); ++k) EXPECT_EQ(level_of(tree.variable_begin(node) + k), level);
      for (const Index row : tree.cb_rows(node)) EXPECT_EQ(level_of(row), level);
    }
    AnalysisOptions given = options;
    given.ordering.kind = OrderingKind::given;
    given.ordering.perm = symbolic->permutation().perm;
    given.ordering.row_of_column = symbolic->row_of_column();
    const auto again = analyze(pattern.view(), given);
    EXPECT_EQ(again->row_of_column(), symbolic->row_of_column());
    EXPECT_EQ(again->estimate(Method::lu).elimination_flops, symbolic->estimate(Method::lu).elimination_flops);
    EXPECT_EQ(again->blocks().level_of_column, symbolic->blocks().level_of_column);
  }
}

}  // namespace
}  // namespace frond
