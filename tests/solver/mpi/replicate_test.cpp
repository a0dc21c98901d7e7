// SPDX-License-Identifier: BSD-3-Clause
// Matrices from rank 0 to all, and from all to rank 0.
#include "solver/mpi/replicate.hpp"

#include <gtest/gtest.h>

#include <complex>

#include "matrices/error.hpp"
#include "tests/mpi/mpi_test.hpp"
#include "tests/solver/test_systems.hpp"

namespace frond {
namespace {

template <class S>
void expect_equal(const SparseMatrix<S>& a, const SparseMatrix<S>& b) {
  EXPECT_EQ(a.num_rows, b.num_rows);
  EXPECT_EQ(a.num_cols, b.num_cols);
  EXPECT_EQ(a.symmetry, b.symmetry);
  EXPECT_EQ(a.column_offsets, b.column_offsets);
  EXPECT_EQ(a.row_indices, b.row_indices);
  EXPECT_EQ(a.values, b.values);
}

class Replicate : public ::testing::Test {
 protected:
  Communicator ranks_ = Communicator::world(test::mpi_gate());
};

TEST_F(Replicate, GivesEveryRankTheMatrixOfRank0) {
  using S = std::complex<double>;
  const auto matrix = testing::random_matrix<S>(50, 4, Symmetry::hermitian, testing::Flavour::dominant, 3);
  const MatrixView<S> view = matrix.view();
  expect_equal(replicate(ranks_, ranks_.rank() == 0 ? &view : nullptr), matrix);
  EXPECT_THROW((void)replicate<S>(ranks_, nullptr), UsageError);
}

TEST_F(Replicate, GathersTripletsAndAddsDuplicates) {
  const auto matrix = testing::random_matrix<double>(40, 4, Symmetry::general, testing::Flavour::dominant, 5);
  Triplets<double> mine{.num_rows = 40, .num_cols = 40};
  for (Index j = 0; j < 40; ++j) {
    for (Count k = matrix.column_offsets[static_cast<std::size_t>(j)]; k < matrix.column_offsets[static_cast<std::size_t>(j) + 1];
         ++k) {
      if ((j + k) % ranks_.num_ranks() == ranks_.rank()) {  // scattered, and each in two halves
        mine.add(matrix.row_indices[static_cast<std::size_t>(k)], j, matrix.values[static_cast<std::size_t>(k)] / 2);
        mine.add(matrix.row_indices[static_cast<std::size_t>(k)], j, matrix.values[static_cast<std::size_t>(k)] / 2);
      }
    }
  }
  const std::optional<SparseMatrix<double>> gathered = gather_triplets(ranks_, mine);
  ASSERT_EQ(gathered.has_value(), ranks_.rank() == 0);
  if (gathered) {
    expect_equal(*gathered, matrix);
  }
}

TEST_F(Replicate, RefusesTripletsThatDoNotFitOnAllRanks) {
  Triplets<double> mine{.num_rows = 3, .num_cols = 3};
  mine.rows = {0};  // without a column
  EXPECT_THROW((void)gather_triplets(ranks_, mine), UsageError);
  Triplets<double> outside{.num_rows = 3, .num_cols = 3};
  if (ranks_.rank() == ranks_.num_ranks() - 1) {
    outside.add(3, 0, 1);
  }
  EXPECT_THROW((void)gather_triplets(ranks_, outside), UsageError);
  if (ranks_.num_ranks() > 1) {
    Triplets<double> other{.num_rows = 3 + ranks_.rank(), .num_cols = 3};
    EXPECT_THROW((void)gather_triplets(ranks_, other), UsageError);
  }
}

}  // namespace
}  // namespace frond
