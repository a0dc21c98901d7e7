// SPDX-License-Identifier: BSD-3-Clause
// Tests entries of inverses against dense ones in double precision.
#include "solver/numerics/answers/inverse.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "factorization/memory/region_pool.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using test::wide;
using test::WideDense;
using testing::Flavour;

constexpr Index kOrderOfInverse = 150;  // more columns than a block has

// Every third column is empty; the others have 1 to 4 entries.
SparseMatrix<double> scattered_pattern(Index order) {
  Triplets<double> entries{order, order, Symmetry::general};
  for (Index j = 0; j < order; ++j) {
    for (Index i = 0; i < (j % 3 == 1 ? 0 : 1 + j % 4); ++i) {
      entries.add((7 * j + 31 * i + 3) % order, j, 1);
    }
  }
  return compress(std::move(entries));
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
      for (auto k = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j)]);
           k < static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
        const auto value = test::Wide<S>(entries.values[k]);
        EXPECT_LE(std::abs(value - inverse(pattern.row_indices[k], j)), 20 * kEps * condition * size);
      }
    }
  }

  static void expect_all_patterns(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, const SolverOptions& options = {}) {
    const Factorization<S> factorization(analyze(matrix, options), matrix);
    const WideDense<S> a = wide(dense);
    const WideDense<S> inverse = test::inverse(a);
    const double condition = a.norm() * inverse.norm();
    const SparseMatrix<double> scattered = scattered_pattern(kOrderOfInverse);
    const DiagonalPattern diagonal(kOrderOfInverse);
    for (const InverseAccuracy accuracy : {InverseAccuracy::direct, InverseAccuracy::refined}) {
      expect_entries(factorization.inverse_entries(scattered.pattern(), accuracy), scattered.pattern(), inverse, condition);
      expect_entries(factorization.inverse_diagonal(accuracy), diagonal.view(), inverse, condition);
      // the positions of the stored entries of A
      if (!matrix.transposed) {
        expect_entries(factorization.inverse_entries(matrix.stored.pattern, accuracy), matrix.stored.pattern, inverse, condition);
      }
    }
    const InverseEntries<S> some = factorization.inverse_diagonal();
    EXPECT_EQ(some.num_checked, some.is_refined ? kOrderOfInverse : 4);
    EXPECT_EQ(factorization.inverse_diagonal().num_columns, kOrderOfInverse);
    EXPECT_EQ(factorization.inverse_entries(scattered.pattern(), InverseAccuracy::refined).num_checked, 100);
  }
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(InverseOf, Scalars);

TYPED_TEST(InverseOf, GeneralMatrices) {
  using S = TypeParam;
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
    const auto matrix = testing::random_matrix<S>(kOrderOfInverse, 3, Symmetry::general, flavour, 1);
    for (const MatchingUse matching : {MatchingUse::never, MatchingUse::always}) {
      SolverOptions options;
      options.analysis.ordering.matching = matching;
      this->expect_all_patterns(matrix, testing::dense(matrix), options);
    }
  }
}

TYPED_TEST(InverseOf, SymmetricMatrices) {
  using S = TypeParam;
  const Symmetry definite = kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric;
  const auto positive = testing::random_matrix<S>(kOrderOfInverse, 3, definite, Flavour::dominant, 2);
  this->expect_all_patterns(positive, testing::dense(positive));
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian, Symmetry::skew_symmetric}) {
    const auto matrix = testing::random_matrix<S>(kOrderOfInverse, 3, symmetry, Flavour::zero_diagonal, 3);
    this->expect_all_patterns(matrix, testing::dense(matrix));
  }
}

TYPED_TEST(InverseOf, CompressedRows) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(kOrderOfInverse, 3, Symmetry::general, Flavour::zero_diagonal, 4);
  const auto rows = compressed_rows<S>(kOrderOfInverse, matrix.column_offsets, matrix.row_indices, matrix.values);
  this->expect_all_patterns(rows, testing::dense(matrix, Operation::transposed));
}

TYPED_TEST(InverseOf, NothingAndLittle) {
  using S = TypeParam;
  const SparseMatrix<S> nothing;
  EXPECT_TRUE((Factorization<S>(analyze(nothing), nothing).inverse_diagonal().values.empty()));
  Triplets<S> entry{1, 1, Symmetry::general};
  entry.add(0, 0, S(4));
  const SparseMatrix<S> one = compress(std::move(entry));
  const Factorization<S> factorization(analyze(one), one);
  EXPECT_EQ(factorization.inverse_diagonal().values, std::vector<S>{S(0.25)});
  const SparseMatrix<S> empty = compress(Triplets<S>{1, 1, Symmetry::general});
  const InverseEntries<S> none = factorization.inverse_entries(empty.pattern());
  EXPECT_TRUE(none.values.empty());
  EXPECT_EQ(none.verdict, Verdict::solved);
  EXPECT_EQ(none.num_checked, 0);
}

TYPED_TEST(InverseOf, SingularMatricesHaveNone) {
  using S = TypeParam;
  const auto matrix = testing::singular_matrix<S>(30, 1, Symmetry::general, 5);
  const InverseEntries<S> entries = Factorization<S>(analyze(matrix), matrix).inverse_diagonal();
  EXPECT_EQ(entries.verdict, Verdict::singular);
  ASSERT_EQ(entries.values.size(), 30U);
  EXPECT_TRUE(std::isnan(std::real(entries.values[7])));
}

// The memory of a pool contains data of earlier solves, also at the positions of delayed equations.
TEST(Inverse, DoesNotDependOnWhatTheMemoryHeld) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto matrix = testing::random_matrix<double>(kOrderOfInverse, 3, symmetry, Flavour::zero_diagonal, 3);
    SolverOptions options;
    options.analysis.ordering.matching = MatchingUse::never;
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

// With kept variables, the factors cover a part of the matrix only: entries come from solves with the whole matrix.
TEST(Inverse, IsThatOfTheWholeMatrixWhereASchurComplementIsKept) {
  const auto matrix = testing::random_matrix<double>(kOrderOfInverse, 3, Symmetry::general, Flavour::dominant, 1);
  SolverOptions options;
  options.analysis.schur_variables = {5, 77};
  const Factorization<double> factorization(analyze(matrix, options), matrix);
  const InverseEntries<double> entries = factorization.inverse_diagonal();
  EXPECT_TRUE(entries.is_refined);
  const WideDense<double> inverse = test::inverse(wide(testing::dense(matrix)));
  for (Index i = 0; i < kOrderOfInverse; ++i) {
    EXPECT_NEAR(entries.values[static_cast<std::size_t>(i)], inverse(i, i), 1e-13 * std::abs(inverse(i, i)));
  }
  std::vector<double> x(kOrderOfInverse);
  EXPECT_THROW((void)factorization.null_space(), UsageError);
  EXPECT_THROW(factorization.solve_part(FactorPart::lower, Operation::plain, {x.data(), kOrderOfInverse, 1, kOrderOfInverse}),
               UsageError);
  EXPECT_THROW((void)factorization.factor_order(), UsageError);
}

// Every column of the inverse of a perturbed matrix is inaccurate, not only those that are checked.
TEST(Inverse, IsRefinedAfterStaticPivoting) {
  const auto matrix = testing::random_matrix<double>(kOrderOfInverse, 3, Symmetry::symmetric, Flavour::zero_diagonal, 3);
  SolverOptions options;
  options.analysis.ordering.matching = MatchingUse::never;
  options.factorization.pivoting.kind = PivotingKind::static_structure;
  const Factorization<double> factorization(analyze(matrix, options), matrix);
  ASSERT_GT(factorization.report().factorization.num_perturbed_pivots, 0);
  ASSERT_EQ(factorization.report().factorization.status, FactorizationStatus::success);
  const InverseEntries<double> entries = factorization.inverse_diagonal();
  EXPECT_TRUE(entries.is_refined);
  EXPECT_EQ(entries.verdict, Verdict::solved) << entries.describe();
  const NullSpace<double> space = factorization.null_space();
  EXPECT_FALSE(space.is_known);
  EXPECT_NE(space.note.find("static pivoting"), std::string::npos);
}

// Entries in single precision would be of little use, so they are refined.
TEST(Inverse, IsOfFullAccuracyInMixedPrecision) {
  const auto matrix = testing::random_matrix<double>(kOrderOfInverse, 3, Symmetry::general, Flavour::dominant, 1);
  SolverOptions mixed;
  mixed.precision = Precision::mixed;
  const Factorization<double> factorization(analyze(matrix, mixed), matrix);
  ASSERT_TRUE(factorization.report().is_mixed);
  const InverseEntries<double> entries = factorization.inverse_diagonal();
  EXPECT_EQ(entries.num_checked, kOrderOfInverse);
  const WideDense<double> inverse = test::inverse(wide(testing::dense(matrix)));
  for (Index i = 0; i < kOrderOfInverse; ++i) {
    EXPECT_NEAR(entries.values[static_cast<std::size_t>(i)], inverse(i, i), 1e-13 * std::abs(inverse(i, i)));
  }
}

// A tiny pivot is accepted: the check must notice the lost digits, and refinement, if allowed, must restore them.
TEST(Inverse, RefinesEntriesThatAreInaccurate) {
  Triplets<double> arrow{3, 3, Symmetry::general};
  arrow.add(0, 0, 3e-12);
  for (const Index i : {1, 2}) {
    arrow.add(i, i, 1);
  }
  arrow.add(2, 0, 1);
  arrow.add(0, 2, 1);
  arrow.add(2, 1, 1);
  arrow.add(1, 2, 1.1);
  const SparseMatrix<double> matrix = compress(std::move(arrow));
  SolverOptions careless;
  careless.analysis.ordering.kind = OrderingKind::natural;
  careless.analysis.amalgamation.enabled = false;
  careless.scaling.kind = ScalingKind::none;
  careless.factorization.pivoting.pivot_threshold = 0;
  const InverseEntries<double> mended = Factorization<double>(analyze(matrix, careless), matrix).inverse_diagonal();
  EXPECT_EQ(mended.verdict, Verdict::solved) << mended.describe();
  EXPECT_TRUE(mended.is_refined);
  const WideDense<double> inverse = test::inverse(wide(testing::dense(matrix)));
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(mended.values[static_cast<std::size_t>(i)], inverse(i, i), 1e-13 * inverse.cwiseAbs().maxCoeff());
  }
  careless.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  const InverseEntries<double> rough = Factorization<double>(analyze(matrix, careless), matrix).inverse_diagonal();
  EXPECT_EQ(rough.verdict, Verdict::accuracy_missed);
  EXPECT_NE(rough.describe().find("accuracy missed"), std::string::npos);
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

TEST(Inverse, RefusesPatternsThatDoNotFit) {
  const auto matrix = testing::random_matrix<double>(20, 2, Symmetry::symmetric, Flavour::dominant, 15);
  const Factorization<double> factorization(analyze(matrix), matrix);
  EXPECT_THROW((void)factorization.inverse_entries(scattered_pattern(21).pattern()), UsageError);
  SparseMatrix<double> pattern = scattered_pattern(20);
  pattern.row_indices[0] = 20;
  EXPECT_THROW((void)factorization.inverse_entries(pattern.pattern()), UsageError);
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
