// SPDX-License-Identifier: BSD-3-Clause
// Tests matrices sent from rank 0 to all ranks, and gathered from all ranks on rank 0.
#include "solver/distributed/mpi/replicate.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

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
  Communicator ranks_ = mpi_world(test::mpi_gate());
};

TEST_F(Replicate, GivesEveryRankTheMatrixOfRank0) {
  using S = std::complex<double>;
  const auto matrix = testing::random_matrix<S>(50, 4, Symmetry::hermitian, testing::Flavour::dominant, 3);
  const MatrixView<S> view = matrix.view();
  expect_equal(replicate(ranks_, ranks_.rank() == 0 ? &view : nullptr), matrix);
  EXPECT_THROW((void)replicate<S>(ranks_, nullptr), UsageError);
}

template <class S>
class ReplicateOf : public Replicate {};
TYPED_TEST_SUITE(ReplicateOf, test::Scalars);

// Gives each entry in two halves, mostly on two ranks; one of several ranks has nothing.
template <Scalar S>
Triplets<S> scattered_triplets(const Communicator& ranks, const SparseMatrix<S>& matrix) {
  Triplets<S> mine{.num_rows = matrix.num_rows, .num_cols = matrix.num_cols, .symmetry = matrix.symmetry};
  const Rank num_givers = std::max(ranks.num_ranks() - 1, 1);
  testing::for_each_entry(matrix, [&](Index i, Index j, S value) {
    for (const Index half : {i, j + 1}) {
      if (half % num_givers == ranks.num_ranks() - 1 - ranks.rank()) {  // prefers the last ranks, so that rank 0 has nothing
        mine.add(i, j, value / RealOf<S>(2));
      }
    }
  });
  return mine;
}

TYPED_TEST(ReplicateOf, GathersTripletsAndAddsDuplicates) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto matrix = testing::random_matrix<S>(40, 4, symmetry, testing::Flavour::dominant, 5);
    const Triplets<S> mine = scattered_triplets(this->ranks_, matrix);
    EXPECT_EQ(mine.values.empty(), this->ranks_.num_ranks() > 1 && this->ranks_.rank() == 0);
    const std::optional<SparseMatrix<S>> gathered = gather_triplets(this->ranks_, mine);
    ASSERT_EQ(gathered.has_value(), this->ranks_.rank() == 0);
    if (gathered) {
      expect_equal(*gathered, matrix);
    }
  }
}

TEST_F(Replicate, AddsDuplicatesRankAfterRank) {
  Triplets<double> mine{.num_rows = 1, .num_cols = 1};
  mine.add(0, 0, ranks_.rank() == 0 ? 1e20 : 1);
  mine.add(0, 0, ranks_.rank() == 0 ? -1e20 : 1);
  const std::optional<SparseMatrix<double>> gathered = gather_triplets(ranks_, mine);
  if (gathered) {
    EXPECT_EQ(gathered->values, std::vector<double>{2.0 * (ranks_.num_ranks() - 1)});
  }
}

TEST_F(Replicate, GathersNothing) {
  const std::optional<SparseMatrix<double>> gathered = gather_triplets(ranks_, Triplets<double>{});
  EXPECT_EQ(gathered.has_value(), ranks_.rank() == 0);
  if (gathered) {
    EXPECT_EQ(gathered->num_rows, 0);
  }
}

class RefusedTriplets : public Replicate {
 protected:
  [[nodiscard]] bool is_last() const { return ranks_.rank() == ranks_.num_ranks() - 1; }

  // Checks that all ranks refuse the triplets for this reason.
  void expect_refusal(const Triplets<double>& mine, const std::string& reason) const {
    testing::expect_error<UsageError>(reason, [&] { (void)gather_triplets(ranks_, mine); });
  }
};

TEST_F(RefusedTriplets, OfDifferentLengthsOnOneRank) {
  Triplets<double> mine{.num_rows = 3, .num_cols = 3};
  mine.add(1, 1, 1);
  if (is_last()) {
    mine.rows.push_back(0);
  }
  expect_refusal(mine, "rank " + std::to_string(ranks_.num_ranks() - 1) + ": the triplets have 2 rows, 1 columns");
}

TEST_F(RefusedTriplets, OutsideOfTheMatrixOrItsTriangleOnOneRank) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    Triplets<double> mine{.num_rows = 3, .num_cols = 3, .symmetry = symmetry};
    if (is_last()) {
      mine.add(symmetry == Symmetry::general ? 3 : 0, 2, 1);
    }
    expect_refusal(mine, "rank 0: ");
  }
}

TEST_F(RefusedTriplets, OfDifferentMatrices) {
  if (ranks_.num_ranks() > 1) {
    expect_refusal({.num_rows = is_last() ? 4 : 3, .num_cols = 3}, "triplets of a 4 by 3 matrix");
    expect_refusal({.num_rows = 3, .num_cols = 3, .symmetry = is_last() ? Symmetry::symmetric : Symmetry::general},
                   "another symmetry");
  }
}

}  // namespace
}  // namespace frond
