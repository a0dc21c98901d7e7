// SPDX-License-Identifier: BSD-3-Clause
// Tests entries of inverses in one process: the same bits for any threads and memory, and the order in which columns are taken.
#include "solver/numerics/answers/inverse.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <memory>
#include <vector>

#include "factorization/memory/region_pool.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;

constexpr Index kOrderOfInverse = 150;  // more columns than a block has

// The memory of a pool contains data of earlier solves, also at the positions of delayed equations.
TEST(Inverse, DoesNotDependOnWhatTheMemoryHeld) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto matrix = testing::random_matrix<double>(kOrderOfInverse, 3, symmetry, Flavour::zero_diagonal, 3);
    SolverOptions options;
    options.analysis.ordering.matching = Use::never;
    const std::vector<double> expected = Factorization<double>(analyze(matrix, options), matrix).inverse_diagonal().values;
    options.factorization.memory = std::make_shared<RegionPool>();
    options.factorization.num_threads = 1;
    const Factorization<double> factorization(analyze(matrix, options), matrix);
    ASSERT_GT(factorization.report().factorization.num_delayed_pivots, 0);
    for (int round = 0; round < 3; ++round) {
      DenseMatrix<double> b = testing::random_dense<double>(kOrderOfInverse, 64, 5);
      DenseMatrix<double> x(kOrderOfInverse, 64);
      (void)factorization.solve({b.values.data(), kOrderOfInverse, 64, kOrderOfInverse},
                                {x.values.data(), kOrderOfInverse, 64, kOrderOfInverse});
      EXPECT_EQ(factorization.inverse_diagonal().values, expected);
    }
  }
}

TEST(Inverse, HasTheSameBitsForAnyNumberOfThreads) {
  const tbb::global_control eight(tbb::global_control::max_allowed_parallelism, 8);
  const auto matrix = testing::laplacian<double>(12);
  std::vector<double> expected;
  for (const int num_threads : {1, 2, 8}) {
    SolverOptions options;
    options.factorization.num_threads = num_threads;
    const std::vector<double> values = Factorization<double>(analyze(matrix, options), matrix).inverse_diagonal().values;
    if (expected.empty()) {
      expected = values;
    }
    EXPECT_EQ(values, expected) << num_threads;
  }
}

// Columns 0, 2, 3 have entries; ordered by their places they are 3, 0, 2.
TEST(InverseBlocks, FollowThePlaces) {
  const std::vector<Count> offsets{0, 1, 1, 3, 4};
  const std::vector<Index> rows{1, 3, 0, 3};
  const std::vector<Index> places{2, 0, 3, 1};
  const auto blocks = inverse_blocks({4, 4, Symmetry::general, offsets, rows}, places, 2);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].columns, (std::vector<Index>{3, 0}));
  EXPECT_EQ(blocks[0].rows, (std::vector<Index>{1, 3}));
  EXPECT_EQ(blocks[1].columns, std::vector<Index>{2});
  EXPECT_EQ(blocks[1].rows, (std::vector<Index>{0, 3}));
}

}  // namespace
}  // namespace frond
