// SPDX-License-Identifier: BSD-3-Clause
// Tests the oracles themselves: naive elimination by hand, and each check against a planted error.
#include "tests/support/oracles/reference.hpp"

#include <gtest/gtest.h>

namespace frond::test {
namespace {

// An arrow fills completely if its point is eliminated first, and not at all if it is last.
const Pattern kArrow = pattern_of(4, Symmetry::symmetric, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 1}, {2, 2}, {3, 3}});

TEST(NaiveFactor, FillsInWhereItMust) {
  const NaiveFactor full(kArrow.view(), {0, 1, 2, 3});
  EXPECT_EQ(full.counts(), (std::vector<Index>{4, 3, 2, 1}));
  EXPECT_EQ(full.parent(), (std::vector<Index>{1, 2, 3, kNoParent}));
  const NaiveFactor sparse(kArrow.view(), {1, 2, 3, 0});
  EXPECT_EQ(sparse.counts(), (std::vector<Index>{2, 2, 2, 1}));
  EXPECT_EQ(sparse.parent(), (std::vector<Index>{3, 3, 3, kNoParent}));
}

TEST(CheckStructure, FindsPlantedErrors) {
  const NaiveFactor factor(kArrow.view(), {1, 2, 3, 0});
  const AssemblyTree right({3, 3, 3, kNoParent}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 3}, {3, 3, 3});
  EXPECT_EQ(check_structure(right, factor, true), "");
  const AssemblyTree too_small({2, 2, kNoParent, kNoParent}, {0, 1, 2, 3, 4}, {0, 1, 2, 2, 2}, {2, 2});
  EXPECT_NE(check_structure(too_small, factor, false), "");
  const AssemblyTree too_large({kNoParent}, {0, 4}, {0, 0}, {});
  EXPECT_EQ(check_structure(too_large, factor, false), "");
  EXPECT_NE(check_structure(too_large, factor, true), "");
  EXPECT_NE(check_structure(AssemblyTree({kNoParent}, {0, 3}, {0, 0}, {}), factor, false), "");
}

TEST(CheckEntries, FindsPlantedErrors) {
  const AssemblyTree tree({1, kNoParent}, {0, 1, 2}, {0, 1, 1}, {1});
  const Pattern pattern = pattern_of(2, Symmetry::general, {{0, 0}, {1, 0}, {0, 1}, {1, 1}});
  const auto check = [&](std::vector<Count> offsets, LargeVector<Index> positions, LargeVector<Count> sources) {
    return check_entries(EntryMap(std::move(offsets), std::move(positions), std::move(sources)), tree, pattern.view(), {0, 1});
  };
  EXPECT_EQ(check({0, 3, 4}, {0, 1, ~1, 0}, {0, 1, 2, 3}), "");
  EXPECT_NE(check({0, 3, 4}, {0, 1, 1, 0}, {0, 1, 2, 3}), "");   // lower instead of upper
  EXPECT_NE(check({0, 3, 4}, {0, 1, ~1, 0}, {0, 2, 1, 3}), "");  // exchanged
  EXPECT_NE(check({0, 3, 4}, {0, 1, ~1, 0}, {0, 1, 1, 3}), "");  // repeated
  EXPECT_NE(check({0, 2, 3}, {0, 1, 0}, {0, 1, 3}), "");         // missing
}

TEST(CheckPermutation, FindsPlantedErrors) {
  EXPECT_EQ(check_permutation({{1, 0, 2}, {1, 0, 2}}), "");
  EXPECT_NE(check_permutation({{1, 2, 0}, {1, 2, 0}}), "");
  EXPECT_NE(check_permutation({{0, 0}, {0, 0}}), "");
  EXPECT_NE(check_permutation({{0, 2}, {0, 1}}), "");
  EXPECT_NE(check_permutation({{0, 1}, {0}}), "");
}

}  // namespace
}  // namespace frond::test
