// SPDX-License-Identifier: BSD-3-Clause
// Tests entries of inverses against dense ones in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

using test::WideDense;
using testing::Flavour;

constexpr Index kOrderOfInverse = 150;  // more columns than a block has

// Every third column is empty; the others have 1 to 4 entries.
SparseMatrix<double> scattered_pattern(Index order) {
  Triplets<double> entries{order, order};
  for (Index j = 0; j < order; ++j) {
    for (Index i = 0; i < (j % 3 == 1 ? 0 : 1 + j % 4); ++i) {
      entries.add((7 * j + 31 * i + 3) % order, j, 1);
    }
  }
  return compress(std::move(entries));
}

void expect_diagonal(const InverseEntries<double>& entries, const SparseMatrix<double>& matrix) {
  EXPECT_EQ(entries.verdict, Verdict::solved) << entries.describe();
  const WideDense<double> inverse = test::inverse(test::wide(testing::dense(matrix)));
  ASSERT_EQ(entries.values.size(), static_cast<std::size_t>(matrix.num_rows));
  for (Index i = 0; i < matrix.num_rows; ++i) {
    EXPECT_NEAR(entries.values[i], inverse(i, i), 1e-13 * inverse.diagonal().cwiseAbs().maxCoeff());
  }
}

template <class S>
class InverseOf : public ::testing::Test {
 protected:
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  static void expect_entries(const InverseEntries<S>& entries, const PatternView& pattern, const WideDense<S>& inverse,
                             double condition) {
    EXPECT_EQ(entries.verdict, Verdict::solved) << entries.describe();
    EXPECT_LE(entries.backward_error, entries.target);
    ASSERT_EQ(entries.values.size(), pattern.row_indices.size());
    for (Index j = 0; j < pattern.num_cols; ++j) {
      const double size = inverse.col(j).cwiseAbs().maxCoeff();
      for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]);
           k < static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
        EXPECT_LE(std::abs(test::Wide<S>(entries.values[k]) - inverse(pattern.row_indices[k], j)), 20 * kEps * condition * size);
      }
    }
  }

  static void expect_all_patterns(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, const StageOptions& options) {
    const Index n = dense.num_rows;
    const auto factorization = factorize(matrix, options);
    const WideDense<S> a = test::wide(dense);
    const WideDense<S> inverse = test::inverse(a);
    const double condition = a.norm() * inverse.norm();
    const SparseMatrix<double> scattered = scattered_pattern(n);
    const DiagonalPattern diagonal(n);
    for (const InverseAccuracy accuracy : {InverseAccuracy::direct, InverseAccuracy::refined}) {
      expect_entries(factorization->inverse_entries(scattered.pattern(), accuracy), scattered.pattern(), inverse, condition);
      expect_entries(factorization->inverse_diagonal(accuracy), diagonal.view(), inverse, condition);
      // the positions of the stored entries of A
      if (!matrix.transposed) {
        expect_entries(factorization->inverse_entries(matrix.stored.pattern, accuracy), matrix.stored.pattern, inverse, condition);
      }
    }
    const InverseEntries<S> some = factorization->inverse_diagonal();
    EXPECT_EQ(some.num_checked, some.is_refined ? n : 4);
    EXPECT_EQ(some.num_columns, n);
    EXPECT_EQ(factorization->inverse_entries(scattered.pattern(), InverseAccuracy::refined).num_checked, n - (n + 1) / 3);
  }

  // With and without a matching, or in every layout.
  static void expect_all_ways(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense) {
    for (const Layout layout : layouts()) {
      for (const Use matching : {Use::never, Use::always}) {
        StageOptions options{{}, layout};
        options.solver.analysis.ordering.matching = matching;
        if (is_one_process() || (matching == Use::never) == (layout == Layout::rows)) {
          expect_all_patterns(matrix, dense, options);
        }
      }
    }
  }

  const Index order_ = is_one_process() ? kOrderOfInverse : 80;
};
TYPED_TEST_SUITE(InverseOf, test::Scalars);

TYPED_TEST(InverseOf, GeneralMatrices) {
  using S = TypeParam;
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
    const auto matrix = testing::random_matrix<S>(this->order_, 3, Symmetry::general, flavour, 1);
    this->expect_all_ways(matrix, testing::dense(matrix));
  }
}

TYPED_TEST(InverseOf, SymmetricMatrices) {
  using S = TypeParam;
  const Symmetry definite = kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric;
  const auto positive = testing::random_matrix<S>(this->order_, 3, definite, Flavour::dominant, 2);
  this->expect_all_ways(positive, testing::dense(positive));
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian, Symmetry::skew_symmetric}) {
    const auto matrix = testing::random_matrix<S>(this->order_, 3, symmetry, Flavour::zero_diagonal, 3);
    this->expect_all_ways(matrix, testing::dense(matrix));
  }
}

TYPED_TEST(InverseOf, CompressedRows) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(this->order_, 3, Symmetry::general, Flavour::zero_diagonal, 4);
  this->expect_all_ways(SystemMatrix<S>(matrix.view(), true), testing::dense(matrix, Operation::transposed));
}

TYPED_TEST(InverseOf, NothingAndLittle) {
  using S = TypeParam;
  const SparseMatrix<S> nothing;
  EXPECT_TRUE(factorize<S>(nothing, {})->inverse_diagonal().values.empty());
  const SparseMatrix<S> one = compress(Triplets<S>{1, 1, Symmetry::general, {0}, {0}, {S(4)}});
  const auto factorization = factorize<S>(one, {});
  EXPECT_EQ(factorization->inverse_diagonal().values, std::vector<S>{S(0.25)});
  const SparseMatrix<S> empty = compress(Triplets<S>{1, 1});
  const InverseEntries<S> none = factorization->inverse_entries(empty.pattern());
  EXPECT_TRUE(none.values.empty());
  EXPECT_EQ(none.verdict, Verdict::solved);
  EXPECT_EQ(none.num_checked, 0);
}

TYPED_TEST(InverseOf, SingularMatricesHaveNone) {
  using S = TypeParam;
  const auto matrix = testing::singular_matrix<S>(30, 1, Symmetry::general, 5);
  const InverseEntries<S> entries = factorize<S>(matrix, {})->inverse_diagonal();
  EXPECT_EQ(entries.verdict, Verdict::singular);
  ASSERT_EQ(entries.values.size(), 30U);
  EXPECT_TRUE(std::isnan(std::real(entries.values[7])));
}

TEST(Inverse, IsNotMeasuredWhereNoSolutionIs) {
  const auto matrix = testing::random_matrix<double>(kOrderOfInverse, 3, Symmetry::general, Flavour::dominant, 1);
  StageOptions options;
  const std::vector<double> measured = factorize<double>(matrix, options)->inverse_diagonal().values;
  options.solver.refinement.measures = false;
  const InverseEntries<double> entries = factorize<double>(matrix, options)->inverse_diagonal();
  EXPECT_EQ(entries.verdict, Verdict::unmeasured);
  EXPECT_TRUE(std::isnan(entries.backward_error));
  EXPECT_EQ(entries.num_checked, 0);
  EXPECT_EQ(entries.num_columns, kOrderOfInverse);
  EXPECT_EQ(entries.values, measured);
}

// With kept variables, the factors cover a part of the matrix only: entries come from solves with the whole matrix.
TEST(Inverse, IsThatOfTheWholeMatrixWhereASchurComplementIsKept) {
  const auto matrix = testing::random_matrix<double>(kOrderOfInverse, 3, Symmetry::general, Flavour::dominant, 1);
  StageOptions options;
  options.solver.analysis.schur_variables = {5, 77};
  const auto factorization = factorize<double>(matrix, options);
  const InverseEntries<double> entries = factorization->inverse_diagonal();
  EXPECT_TRUE(entries.is_refined);
  expect_diagonal(entries, matrix);
  DenseMatrix<double> x(kOrderOfInverse, 1);
  EXPECT_THROW((void)factorization->null_space(), UsageError);
  EXPECT_THROW(factorization->solve_part(FactorPart::lower, Operation::plain, x), UsageError);
  EXPECT_THROW((void)factorization->calls().factor_order(), UsageError);
}

// Every column of the inverse of a perturbed matrix is inaccurate, not only those that are checked.
TEST(Inverse, IsRefinedAfterStaticPivoting) {
  const auto matrix = testing::random_matrix<double>(kOrderOfInverse, 3, Symmetry::symmetric, Flavour::zero_diagonal, 3);
  StageOptions options;
  options.solver.analysis.ordering.matching = Use::never;
  options.solver.factorization.pivoting.kind = PivotingKind::static_structure;
  const auto factorization = factorize<double>(matrix, options);
  ASSERT_GT(factorization->report().factorization.num_perturbed_pivots, 0);
  ASSERT_EQ(factorization->report().factorization.status, FactorizationStatus::success);
  const InverseEntries<double> entries = factorization->inverse_diagonal();
  EXPECT_TRUE(entries.is_refined);
  EXPECT_EQ(entries.verdict, Verdict::solved) << entries.describe();
  const NullSpace<double> space = factorization->null_space();
  EXPECT_FALSE(space.is_known);
  EXPECT_NE(space.note.find("static pivoting"), std::string::npos);
}

// Entries in single precision would be of little use, so they are refined.
TEST(Inverse, IsOfFullAccuracyInMixedPrecision) {
  const auto matrix = testing::random_matrix<double>(kOrderOfInverse, 3, Symmetry::general, Flavour::dominant, 1);
  StageOptions mixed;
  mixed.solver.mixed_precision = true;
  const auto factorization = factorize<double>(matrix, mixed);
  ASSERT_TRUE(factorization->report().is_mixed);
  const InverseEntries<double> entries = factorization->inverse_diagonal();
  EXPECT_EQ(entries.num_checked, kOrderOfInverse);
  expect_diagonal(entries, matrix);
}

// A tiny pivot is accepted: the check must notice the lost digits, and refinement, if allowed, must restore them.
TEST(Inverse, RefinesEntriesThatAreInaccurate) {
  const SparseMatrix<double> matrix = compress(
      Triplets<double>{3, 3, Symmetry::general, {0, 1, 2, 2, 0, 2, 1}, {0, 1, 2, 0, 2, 1, 2}, {3e-12, 1, 1, 1, 1, 1, 1.1}});
  StageOptions careless;
  careless.solver.analysis.ordering.kind = OrderingKind::natural;
  careless.solver.analysis.amalgamate = false;
  careless.solver.scaling = ScalingKind::none;
  careless.solver.factorization.pivoting.pivot_threshold = 0;
  const InverseEntries<double> mended = factorize<double>(matrix, careless)->inverse_diagonal();
  EXPECT_TRUE(mended.is_refined);
  expect_diagonal(mended, matrix);
  careless.solver.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  const InverseEntries<double> rough = factorize<double>(matrix, careless)->inverse_diagonal();
  EXPECT_EQ(rough.verdict, Verdict::accuracy_missed);
  EXPECT_NE(rough.describe().find("accuracy missed"), std::string::npos);
}

TEST(Inverse, RefusesPatternsThatDoNotFit) {
  const auto matrix = testing::random_matrix<double>(20, 2, Symmetry::symmetric, Flavour::dominant, 15);
  const auto factorization = factorize<double>(matrix, {});
  EXPECT_THROW((void)factorization->inverse_entries(scattered_pattern(21).pattern()), UsageError);
  SparseMatrix<double> pattern = scattered_pattern(20);
  pattern.row_indices[0] = 20;
  EXPECT_THROW((void)factorization->inverse_entries(pattern.pattern()), UsageError);
}

}  // namespace
}  // namespace frond::stages
