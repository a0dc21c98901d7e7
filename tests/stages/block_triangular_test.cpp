// SPDX-License-Identifier: BSD-3-Clause
// Tests systems solved by the factors of the diagonal blocks of their block triangular form, against dense algebra.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond::stages {
namespace {

using test::wide;
using test::Wide;
using test::WideDense;
using testing::reducible_matrix;
using testing::Shuffle;

const std::vector<Index> kTriangle(40, 1);
const std::vector<Index> kGiant = {1, 1, 1, 3, 60, 1, 2, 1, 1};
const std::vector<Index> kSeveral = {20, 7, 1, 13, 20, 1, 9};
StageOptions in_blocks(Layout layout = Layout::rows) {
  StageOptions options{{}, layout};
  options.solver.analysis.block_triangular = Use::always;
  return options;
}

// Turns refinement off, so that the factors alone solve.
StageOptions unrefined(Layout layout = Layout::rows) {
  StageOptions options = in_blocks(layout);
  options.solver.refinement.max_steps = 0;
  options.solver.refinement.max_krylov_steps = 0;
  return options;
}

template <class S>
class BlockTriangular : public ::testing::Test {
 protected:
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  static std::unique_ptr<StagedFactorization<S>> factorization_of(const SparseMatrix<S>& matrix, const StageOptions& options) {
    const auto system = analyse<S>(matrix, options);
    EXPECT_TRUE(system->symbolic().blocks().splits());
    return system->factorize();
  }

  // Without refinement single equations may be missed.
  static DenseMatrix<S> solved(StagedFactorization<S>& factorization, const DenseMatrix<S>& a, const DenseMatrix<S>& b,
                               Operation operation) {
    DenseMatrix<S> x(b.num_rows, b.num_cols);
    const SolveReport report = factorization.solve(b, x, operation);
    EXPECT_TRUE(report.verdict == Verdict::solved || testing::dense_componentwise_error(a, x, b) > kComponentwiseAccuracy<S> / 2)
        << report.describe();
    return x;
  }

  static void expect_solves(StagedFactorization<S>& factorization, const SparseMatrix<S>& matrix, double units = 100) {
    for (const Operation operation : test::kOperations) {
      const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 3, 5);
      const DenseMatrix<S> a = testing::dense(matrix, operation);
      EXPECT_LE(testing::dense_backward_error(a, solved(factorization, a, b, operation), b), units * kEps);
    }
  }
};
TYPED_TEST_SUITE(BlockTriangular, test::Scalars);

TYPED_TEST(BlockTriangular, FactorsOfBlocksSolveWithTheWhole) {
  using S = TypeParam;
  std::uint64_t seed = 1;
  for (const std::vector<Index>& blocks : {kTriangle, kGiant, kSeveral}) {
    for (const Shuffle shuffle : {Shuffle::none, Shuffle::alike, Shuffle::apart}) {
      const auto matrix = reducible_matrix<S>(blocks, 2, shuffle, ++seed);
      for (const Layout layout : layouts()) {
        for (const Use matching : {Use::automatic, Use::never, Use::always}) {
          StageOptions options = unrefined(layout);
          options.solver.analysis.ordering.matching = matching;
          if (is_one_process() || matching == Use::automatic) {
            const auto factorization = this->factorization_of(matrix, options);
            EXPECT_EQ(factorization->report().factorization.status, FactorizationStatus::success);
            this->expect_solves(*factorization, matrix);
          }
        }
      }
    }
  }
}

TYPED_TEST(BlockTriangular, CompressedRows) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kGiant, 2, Shuffle::apart, 7);
  const auto rows = compressed_rows<S>(matrix.num_rows, matrix.column_offsets, matrix.row_indices, matrix.values);
  const auto factorization = factorize(rows, unrefined());
  for (const Operation operation : test::kOperations) {
    const auto b = testing::random_dense<S>(matrix.num_rows, 2, 5);
    const auto a = dense_operation(operation, testing::dense(matrix, Operation::transposed));
    EXPECT_LE(testing::dense_backward_error(a, this->solved(*factorization, a, b, operation), b), 100 * this->kEps);
  }
}

TYPED_TEST(BlockTriangular, DeterminantAndErrorBounds) {
  using S = TypeParam;
  for (const Shuffle shuffle : {Shuffle::alike, Shuffle::apart}) {
    const auto matrix = reducible_matrix<S>({1, 2, 9, 1, 1, 4}, 2, shuffle, 11);
    StageOptions options = in_blocks();
    options.solver.error_bounds = ErrorBounds::first_column;
    const auto factorization = this->factorization_of(matrix, options);
    const Determinant& found = factorization->report().factorization.determinant;
    const Wide<S> expected = test::pivots(wide(testing::dense(matrix))).prod();
    const std::complex<double> value = found.mantissa * std::ldexp(1.0, static_cast<int>(found.exponent));
    EXPECT_LE(std::abs(value - std::complex<double>(expected)), 1000 * this->kEps * std::abs(expected));

    const auto b = testing::random_dense<S>(matrix.num_rows, 1, 3);
    DenseMatrix<S> x(matrix.num_rows, 1);
    const SolveReport report = factorization->solve(b, x);
    EXPECT_EQ(report.verdict, Verdict::solved);
    const WideDense<S> exact = test::solution(wide(testing::dense(matrix)), wide(b));
    const double error = (wide(x) - exact).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
    ASSERT_TRUE(report.columns.front().forward_error_bound > 0);
    EXPECT_LE(error, report.columns.front().forward_error_bound + 10 * this->kEps);
  }
}

// Applying the parts one after another yields the inverse.
TYPED_TEST(BlockTriangular, Parts) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kSeveral, 2, Shuffle::apart, 31);
  const auto factorization = this->factorization_of(matrix, in_blocks());
  for (const Operation operation : test::kOperations) {
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 2, 3);
    DenseMatrix<S> x = b;
    const bool is_plain = operation == Operation::plain;
    factorization->solve_part(is_plain ? FactorPart::lower : FactorPart::upper, operation, x);
    factorization->solve_part(FactorPart::diagonal, operation, x);
    factorization->solve_part(is_plain ? FactorPart::upper : FactorPart::lower, operation, x);
    if (is_led_here()) {
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), x, b), 100 * this->kEps);
    }
  }
}

TYPED_TEST(BlockTriangular, EntriesOfTheInverse) {
  using S = TypeParam;
  for (const Shuffle shuffle : {Shuffle::alike, Shuffle::apart}) {
    const auto matrix = reducible_matrix<S>({3, 1, 12, 1, 5, 1}, 2, shuffle, 17);
    const auto factorization = this->factorization_of(matrix, in_blocks());
    const WideDense<S> inverse = test::inverse(wide(testing::dense(matrix)));
    const DenseMatrix<S> whole_pattern = testing::random_dense<S>(matrix.num_rows, matrix.num_rows, 1);
    Triplets<S> everything{matrix.num_rows, matrix.num_rows, Symmetry::general};
    for (Index j = 0; j < matrix.num_rows; ++j) {
      for (Index i = 0; i < matrix.num_rows; ++i) {
        everything.add(i, j, whole_pattern(i, j));
      }
    }
    const auto all = compress(std::move(everything));
    const auto entries = factorization->inverse_entries(all.pattern());
    EXPECT_EQ(entries.verdict, Verdict::solved);
    for (std::size_t k = 0; k < entries.values.size(); ++k) {
      const auto order = static_cast<std::size_t>(matrix.num_rows);
      const Wide<S> expected = inverse(static_cast<Eigen::Index>(k % order), static_cast<Eigen::Index>(k / order));
      EXPECT_LE(std::abs(Wide<S>(entries.values[k]) - expected), 200 * this->kEps);
    }
    EXPECT_EQ(entries.values.size(), all.row_indices.size());
  }
}

// Each of the two diagonal blocks has a rank deficiency of 1, and a coupling restores one: rank 12 - 2 + 1.
template <class S>
SparseMatrix<S> two_singular_blocks() {
  Triplets<S> entries{12, 12, Symmetry::general};
  for (const Index begin : {0, 6}) {
    for (Index k = 0; k < 6; ++k) {
      entries.add(begin + k, begin + k, S(2));
      entries.add(begin + k, begin + (k + 1) % 6, S(-1));
      entries.add(begin + k, begin + (k + 5) % 6, S(-1));
    }
  }
  entries.add(2, 8, S(3));
  return compress(std::move(entries));
}

TYPED_TEST(BlockTriangular, RankAndNullSpaceAreThoseOfTheWhole) {
  using S = TypeParam;
  const auto matrix = two_singular_blocks<S>();
  const auto factorization = this->factorization_of(matrix, in_blocks());
  const FactorizationReport& report = factorization->report().factorization;
  EXPECT_EQ(report.status, FactorizationStatus::singular);
  EXPECT_EQ(report.null_pivots.size(), 1U);
  EXPECT_TRUE(has_note(factorization->report().notes, "as a whole"));
  EXPECT_FALSE(factorization->symbolic().blocks().splits());
  const NullSpace<S> space = factorization->null_space();
  ASSERT_EQ(space.basis.num_cols, 1);
  const WideDense<S> expected = test::dense_null_space<S>(testing::dense(matrix), Operation::plain, 1);
  EXPECT_LE(test::distance_of_spaces<S>(space.basis, expected), 100 * this->kEps);

  // a consistent right-hand side
  DenseMatrix<S> b(12, 1);
  const DenseMatrix<S> a = testing::dense(matrix);
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < 12; ++j) {
      b(i, 0) += a(i, j) * S(static_cast<RealOf<S>>(1 + j % 3));
    }
  }
  DenseMatrix<S> x(12, 1);
  const SolveReport solve = factorization->solve(b, x);
  EXPECT_EQ(solve.verdict, Verdict::singular);
  EXPECT_EQ(solve.num_met(), 1);
}

TYPED_TEST(BlockTriangular, WithoutFactorsTheRankIsThatOfTheWholeToo) {
  using S = TypeParam;
  StageOptions options = in_blocks();
  options.solver.factorization.kept = KeptFactors::none;
  const auto matrix = two_singular_blocks<S>();
  const auto factorization = this->factorization_of(matrix, options);
  EXPECT_EQ(factorization->report().factorization.null_pivots.size(), 1U);
  EXPECT_TRUE(has_note(factorization->report().notes, "as a whole"));
}

TYPED_TEST(BlockTriangular, OtherValuesAndSavedFactors) {
  using S = TypeParam;
  const testing::ScratchFolder folder;
  const auto matrix = reducible_matrix<S>(kGiant, 2, Shuffle::apart, 35);
  const auto system = analyse<S>(matrix, unrefined());
  auto other = matrix;
  for (S& value : other.values) {
    value *= S(-3);
  }
  const auto again = system->with_values(other)->factorize();
  this->expect_solves(*again, other);

  const auto factorization = system->factorize();
  factorization->save(folder.path("factors"));
  const auto loaded = load<S>(folder.path("factors"), matrix, unrefined());
  EXPECT_TRUE(loaded->symbolic().blocks().splits());
  const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 2, 5);
  for (const Operation operation : {Operation::plain, Operation::transposed}) {
    const DenseMatrix<S> a = testing::dense(matrix, operation);
    EXPECT_EQ(this->solved(*loaded, a, b, operation).values, this->solved(*factorization, a, b, operation).values);
  }
}

TYPED_TEST(BlockTriangular, SparseRightHandSides) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kSeveral, 2, Shuffle::alike, 23);
  Triplets<S> sides{matrix.num_rows, 3, Symmetry::general};
  sides.add(0, 0, S(1));
  sides.add(matrix.num_rows - 1, 1, S(2));
  const auto b = compress(std::move(sides));
  DenseMatrix<S> x(matrix.num_rows, 3);
  EXPECT_EQ(this->factorization_of(matrix, in_blocks())->solve_sparse(b, x).verdict, Verdict::solved);
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, testing::dense(b)), 20 * this->kEps);
}

TYPED_TEST(BlockTriangular, MixedPrecision) {
  using S = TypeParam;
  if constexpr (sizeof(RealOf<S>) == sizeof(double)) {
    const auto matrix = reducible_matrix<S>(kSeveral, 2, Shuffle::apart, 37);
    StageOptions options = in_blocks();
    options.solver.mixed_precision = true;
    const auto factorization = this->factorization_of(matrix, options);
    EXPECT_TRUE(factorization->report().is_mixed);
    this->expect_solves(*factorization, matrix, 20);
    EXPECT_TRUE(factorization->report().is_mixed);  // still: refinement was enough
    const auto b = testing::random_dense<S>(matrix.num_rows, 2, 4);
    DenseMatrix<S> x(matrix.num_rows, 2);
    EXPECT_LE(factorization->solve(b, x).worst().refinement_steps, 4);
  }
}

TYPED_TEST(BlockTriangular, StaticPivoting) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kGiant, 2, Shuffle::apart, 31);
  StageOptions options = in_blocks();
  options.solver.factorization.pivoting.kind = PivotingKind::static_structure;
  const auto factorization = this->factorization_of(matrix, options);
  this->expect_solves(*factorization, matrix, 20);
}

TYPED_TEST(BlockTriangular, ThreadsDoNotChangeABit) {
  const auto matrix = reducible_matrix<TypeParam>({1, 1, is_one_process() ? 900 : 90, 1, 30, 1, 1}, 3, Shuffle::apart, 3);
  const auto b = testing::random_dense<TypeParam>(matrix.num_rows, 2, 4);
  StageOptions options = unrefined();
  const auto one = this->factorization_of(matrix, options);
  options.solver.factorization.num_threads = 2;
  const auto two = this->factorization_of(matrix, options);
  for (const Operation operation : {Operation::plain, Operation::adjoint}) {
    DenseMatrix<TypeParam> x(matrix.num_rows, 2);
    DenseMatrix<TypeParam> y(matrix.num_rows, 2);
    (void)one->solve(b, x, operation);  // single equations may need refinement
    (void)two->solve(b, y, operation);
    EXPECT_TRUE(x.values == y.values || !is_one_process());
  }
}

// Couplings, entries of blocks or none are left out; entries below the blocks were not analysed.
TYPED_TEST(BlockTriangular, OtherEntriesOfThePattern) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kSeveral, 2, Shuffle::apart, 13);
  const auto system = analyse<S>(matrix, unrefined());
  const Symbolic& symbolic = system->symbolic();
  ASSERT_TRUE(symbolic.blocks().splits());
  for (const bool couples : {true, false}) {
    const Count left_out =
        couples ? symbolic.couplings().sources.front() : symbolic.entries().source(symbolic.entries().num_entries() - 1);
    Triplets<S> entries{matrix.num_rows, matrix.num_rows};
    Count k = 0;
    testing::for_each_entry(matrix, [&](Index i, Index j, S value) {
      if (k++ != left_out || std::abs(value) > 2.5) {  // pivots stay
        entries.add(i, j, value);
      }
    });
    const auto fewer = compress(std::move(entries));
    this->expect_solves(*system->with_values(fewer)->factorize(), fewer);
  }
  Triplets<S> entries{matrix.num_rows, matrix.num_rows};
  const auto level = [](const std::vector<Index>& levels, Index k) { return levels[k]; };
  for (Index j = 0; j < matrix.num_cols; ++j) {
    for (Index i = 0; i < matrix.num_rows; ++i) {
      if (level(symbolic.blocks().level_of_row, i) > level(symbolic.blocks().level_of_column, j)) {
        entries.add(i, j, S(1));
      }
    }
  }
  const auto foreign = compress(std::move(entries));
  EXPECT_THROW((void)system->with_values(foreign)->factorize(), UsageError);
}

TYPED_TEST(BlockTriangular, StructurallySingularMatricesStayWhole) {
  using S = TypeParam;
  Triplets<S> entries{6, 6, Symmetry::general};
  for (Index k = 0; k < 5; ++k) {
    entries.add(k, k, S(1));
    entries.add(k, k + 1, S(1));
  }
  const auto matrix = compress(std::move(entries));
  const auto system = analyse<S>(matrix, in_blocks());
  EXPECT_FALSE(system->symbolic().blocks().splits());
  EXPECT_EQ(system->factorize()->report().factorization.null_pivots.size(), 1U);
}

// Where rows and columns are shuffled alike, the diagonal of the inverse depends on the blocks only.
TYPED_TEST(BlockTriangular, EntriesOfTheInverseAreRefinedWhereLevelsMeet) {
  for (const Shuffle shuffle : {Shuffle::alike, Shuffle::apart}) {
    const auto matrix = reducible_matrix<TypeParam>({3, 1, 12, 1, 5, 1}, 2, shuffle, 17);
    const auto diagonal = this->factorization_of(matrix, in_blocks())->inverse_diagonal();
    EXPECT_EQ(diagonal.is_refined, is_one_process() && shuffle == Shuffle::apart);  // ranks find all entries directly
    EXPECT_EQ(diagonal.verdict, Verdict::solved);
  }
}

TEST(BlockTriangularOfDoubles, NothingToSplit) {
  for (const Index order : {0, 1}) {
    Triplets<double> entries{order, order, Symmetry::general};
    if (order == 1) entries.add(0, 0, 2.0);
    const auto matrix = compress(std::move(entries));
    StageOptions options = in_blocks();
    options.solver.detect_symmetry = false;
    const auto system = analyse<double>(matrix, options);
    EXPECT_FALSE(system->symbolic().blocks().splits());
    DenseMatrix<double> b(order, 1);
    std::fill(b.values.begin(), b.values.end(), 3.0);
    DenseMatrix<double> x(order, 1);
    EXPECT_EQ(system->factorize()->solve(b, x).verdict, Verdict::solved);
    EXPECT_EQ(x.values, std::vector<double>(b.values.size(), 1.5));
  }
}

TEST(BlockTriangularOfDoubles, SchurComplementsKeepTheMatrixWhole) {
  const auto matrix = reducible_matrix<double>(kSeveral, 2, Shuffle::alike, 37);
  StageOptions options = in_blocks();
  options.solver.analysis.schur_variables = {3, 5};
  EXPECT_FALSE(analyse<double>(matrix, options)->symbolic().blocks().splits());
}

}  // namespace
}  // namespace frond::stages
