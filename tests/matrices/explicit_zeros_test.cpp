// SPDX-License-Identifier: BSD-3-Clause
// Tests which explicit zeros are left out.
#include "matrices/explicit_zeros.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {
namespace {

// A chain of nodes with three unknowns each, whose couplings to the unknowns of the next node are zero with a probability.
SparseMatrix<double> chain_of_nodes(Index num_nodes, Symmetry symmetry, double probability, bool by_components) {
  std::mt19937 random(3);
  std::bernoulli_distribution is_zero(probability);
  const auto place = [&](Index node, Index unknown) { return by_components ? unknown * num_nodes + node : 3 * node + unknown; };
  Triplets<double> entries{3 * num_nodes, 3 * num_nodes, symmetry};
  const auto couple = [&](Index i, Index j, double value) {
    if (symmetry == Symmetry::general || i >= j) {
      entries.add(i, j, value);
    }
  };
  for (Index node = 0; node < num_nodes; ++node) {
    for (Index next = std::max(node - 1, 0); next < std::min(node + 2, num_nodes); ++next) {
      for (Index k = 0; k < 9; ++k) {
        const bool is_diagonal = next == node && k / 3 == k % 3;
        couple(place(node, k / 3), place(next, k % 3), is_diagonal ? 9 : is_zero(random) ? 0 : -1);
      }
    }
  }
  return compress(std::move(entries));
}

TEST(ExplicitZeros, StayWhereVariablesAreAlikeWithThem) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    for (const bool by_components : {false, true}) {
      const SparseMatrix<double> matrix = chain_of_nodes(100, symmetry, 0.3, by_components);
      EXPECT_GT(count_zeros(matrix.view()), 100);
      EXPECT_EQ(count_needless_zeros(matrix.view()), 0);
    }
  }
}

TEST(ExplicitZeros, AreNeedlessWhereTheyMakeNothingAlikeOrAreMost) {
  const SparseMatrix<double> mostly_zero = chain_of_nodes(100, Symmetry::general, 0.9, false);
  EXPECT_EQ(count_needless_zeros(mostly_zero.view()), count_zeros(mostly_zero.view()));
  SparseMatrix<double> few = chain_of_nodes(100, Symmetry::general, 0, false);
  EXPECT_EQ(count_needless_zeros(few.view()), 0);
  few.values[40] = 0;  // two nodes fall apart, and others are as they were
  EXPECT_EQ(count_needless_zeros(few.view()), 1);
  EXPECT_EQ(without_zeros(few.view()).num_entries(), few.num_entries() - 1);
}

}  // namespace
}  // namespace frond
