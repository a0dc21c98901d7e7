// SPDX-License-Identifier: BSD-3-Clause
// Tests pairs on cycles whose best pairs are known, and the rules that all pairs obey.
#include "analysis/pivots/pivot_pairs.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {
namespace {

std::vector<Index> partners_of(Triplets<double> lower) {
  const SparseMatrix<double> matrix = compress(std::move(lower));
  return pivot_partners(expand_to_general(matrix.view()).view());
}

TEST(PivotPairs, CutsAnEvenCycleWhereTheProductIsLarger) {
  Triplets<double> ring{4, 4, Symmetry::symmetric};
  ring.add(1, 0, 2);
  ring.add(2, 1, 5);
  ring.add(3, 2, 3);
  ring.add(3, 0, 4);
  EXPECT_EQ(partners_of(ring), (std::vector<Index>{3, 2, 1, 0}));
  ring.values = {5, 2, 4, 3};
  EXPECT_EQ(partners_of(ring), (std::vector<Index>{1, 0, 3, 2}));
}

TEST(PivotPairs, LeaveTheLargestDiagonalOfAnOddCycleAlone) {
  Triplets<double> triangle{3, 3, Symmetry::symmetric};
  triangle.add(1, 0, 10);
  triangle.add(2, 1, 10);
  triangle.add(2, 0, 10);
  triangle.add(0, 0, 1);
  triangle.add(1, 1, 2);
  EXPECT_EQ(partners_of(triangle), (std::vector<Index>{2, 1, 0}));
}

TEST(PivotPairs, LeaveStrongDiagonalsAlone) {
  Triplets<double> saddle{4, 4, Symmetry::symmetric};  // 0 and 1 strong, 2 weak and coupled with 1; 3 without entries
  saddle.add(0, 0, 4);
  saddle.add(1, 1, 4);
  saddle.add(1, 0, 1);
  saddle.add(2, 1, 1);
  EXPECT_EQ(partners_of(saddle), (std::vector<Index>{0, 2, 1, 3}));
}

TEST(PivotPairs, AreMutualAndAlongEntries) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    const auto order = static_cast<Index>(random() % 30);
    Triplets<double> lower{order, order, Symmetry::symmetric};
    std::vector<std::vector<bool>> held(static_cast<std::size_t>(order), std::vector<bool>(static_cast<std::size_t>(order)));
    for (Index j = 0; j < order; ++j) {
      for (Index i = j; i < order; ++i) {
        if (random() % 8 == 0) {
          lower.add(i, j, std::uniform_real_distribution<double>(0.1, 1)(random));
          held[i][j] = true;
        }
      }
    }
    const std::vector<Index> partners = partners_of(std::move(lower));
    ASSERT_EQ(static_cast<Index>(partners.size()), order);
    for (Index k = 0; k < order; ++k) {
      const Index other = partners[k];
      EXPECT_EQ(partners[other], k);
      if (other > k) {
        EXPECT_TRUE(held[other][k]);
      }
    }
  }
}

}  // namespace
}  // namespace frond
