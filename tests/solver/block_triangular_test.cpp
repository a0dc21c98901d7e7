// SPDX-License-Identifier: BSD-3-Clause
// Systems solved by the factors of the diagonal blocks of their block triangular form, against dense algebra.
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "matrices/build.hpp"
#include "matrices/error.hpp"
#include "solver/factorization.hpp"
#include "solver/solve_once.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

using test::wide;
using test::Wide;
using test::WideDense;
using testing::reducible_matrix;
using testing::Shuffle;

const std::vector<Index> kTriangle(40, 1);
const std::vector<Index> kGiant = {1, 1, 1, 3, 60, 1, 2, 1, 1};
const std::vector<Index> kSeveral = {20, 7, 1, 13, 20, 1, 9};

SolverOptions in_blocks(int num_threads = 1) {
  SolverOptions options;
  options.analysis.block_triangular = BlockTriangularUse::always;
  options.factorization.num_threads = num_threads;
  return options;
}

// What the factors alone make of a right-hand side.
SolverOptions unrefined(int num_threads = 1) {
  SolverOptions options = in_blocks(num_threads);
  options.refinement.max_steps = 0;
  options.refinement.max_krylov_steps = 0;
  return options;
}

bool has_note(const SystemReport& report, const std::string& words) {
  return std::any_of(report.notes.begin(), report.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

template <class S>
class BlockTriangularOf : public ::testing::Test {
 protected:
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  static Factorization<S> factorization_of(const SparseMatrix<S>& matrix, const SolverOptions& options) {
    const auto symbolic = analyze(matrix, options);
    EXPECT_TRUE(symbolic->blocks().splits());
    return Factorization<S>(symbolic, matrix, options);
  }

  static DenseMatrix<S> solved(const Factorization<S>& factorization, const DenseMatrix<S>& b, Operation operation) {
    DenseMatrix<S> x(b.num_rows, b.num_cols);
    EXPECT_EQ(factorization.solve(view_of(b), view_of(x), operation).verdict, Verdict::solved);
    return x;
  }

  static void expect_solves(const Factorization<S>& factorization, const SparseMatrix<S>& matrix) {
    for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
      const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 3, 5);
      const DenseMatrix<S> x = solved(factorization, b, operation);
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), x, b), 100 * kEps);  // not refined
    }
  }
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BlockTriangularOf, Scalars);

TYPED_TEST(BlockTriangularOf, FactorsOfBlocksSolveWithTheWhole) {
  std::uint64_t seed = 1;
  for (const std::vector<Index>& blocks : {kTriangle, kGiant, kSeveral}) {
    for (const Shuffle shuffle : {Shuffle::none, Shuffle::alike, Shuffle::apart}) {
      const auto matrix = reducible_matrix<TypeParam>(blocks, 2, shuffle, ++seed);
      for (const MatchingUse matching : {MatchingUse::automatic, MatchingUse::never, MatchingUse::always}) {
        SolverOptions options = unrefined();
        options.analysis.ordering.matching = matching;
        const auto factorization = this->factorization_of(matrix, options);
        EXPECT_EQ(factorization.report().factorization.status, FactorizationStatus::success);
        this->expect_solves(factorization, matrix);
      }
    }
  }
}

TYPED_TEST(BlockTriangularOf, ThreadsDoNotChangeABit) {
  const auto matrix = reducible_matrix<TypeParam>({1, 1, 900, 1, 30, 1, 1}, 3, Shuffle::apart, 3);
  const auto b = testing::random_dense<TypeParam>(matrix.num_rows, 2, 4);
  const auto one = this->factorization_of(matrix, unrefined(1));
  const auto two = this->factorization_of(matrix, unrefined(2));
  for (const Operation operation : {Operation::plain, Operation::adjoint}) {
    EXPECT_EQ(this->solved(one, b, operation).values, this->solved(two, b, operation).values);
  }
}

TYPED_TEST(BlockTriangularOf, CompressedRows) {
  const auto matrix = reducible_matrix<TypeParam>(kGiant, 2, Shuffle::apart, 7);
  const auto rows =
      compressed_rows<TypeParam>(matrix.num_rows, matrix.column_offsets, matrix.row_indices, matrix.values, Symmetry::general);
  const SolverOptions options = unrefined();
  const Factorization<TypeParam> factorization(analyze(rows, options), rows, options);
  for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
    const auto b = testing::random_dense<TypeParam>(matrix.num_rows, 2, 5);
    const auto x = this->solved(factorization, b, operation);
    auto a = wide(testing::dense(matrix, Operation::transposed));
    if (operation == Operation::transposed) a.transposeInPlace();
    if (operation == Operation::adjoint) a.adjointInPlace();
    const WideDense<TypeParam> residual = test::product(a, wide(x)) - wide(b);
    EXPECT_LE(residual.norm(), 100 * this->kEps * (a.norm() * wide(x).norm()));
  }
  EXPECT_FALSE(factorization.inverse_diagonal().values.empty());
}

TYPED_TEST(BlockTriangularOf, DeterminantAndErrorBounds) {
  using S = TypeParam;
  for (const Shuffle shuffle : {Shuffle::alike, Shuffle::apart}) {
    const auto matrix = reducible_matrix<S>({1, 2, 9, 1, 1, 4}, 2, shuffle, 11);
    SolverOptions options = in_blocks();
    options.error_bounds = ErrorBounds::first_column;
    const auto factorization = this->factorization_of(matrix, options);
    const Determinant& found = factorization.report().factorization.determinant;
    const Wide<S> expected = test::pivots(wide(testing::dense(matrix))).prod();
    const std::complex<double> value = found.mantissa * std::ldexp(1.0, static_cast<int>(found.exponent));
    EXPECT_LE(std::abs(value - std::complex<double>(expected)), 1000 * this->kEps * std::abs(expected));

    const auto b = testing::random_dense<S>(matrix.num_rows, 1, 3);
    DenseMatrix<S> x(matrix.num_rows, 1);
    const SolveReport report = factorization.solve(view_of(b), view_of(x));
    EXPECT_EQ(report.verdict, Verdict::solved);
    const WideDense<S> exact = test::solution(wide(testing::dense(matrix)), wide(b));
    const double error = (wide(x) - exact).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
    ASSERT_TRUE(report.columns.front().forward_error_bound > 0);
    EXPECT_LE(error, report.columns.front().forward_error_bound + 10 * this->kEps);
  }
}

TYPED_TEST(BlockTriangularOf, OtherValuesOfThePattern) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kSeveral, 2, Shuffle::apart, 13);
  const auto symbolic = analyze(matrix, unrefined());
  ASSERT_TRUE(symbolic->blocks().splits());
  auto other = matrix;
  for (S& value : other.values) value *= S(-3);
  this->expect_solves(Factorization<S>(symbolic, other, unrefined()), other);

  // without an entry that couples, and without one of a block
  for (const bool couples : {true, false}) {
    const std::size_t left_out = static_cast<std::size_t>(
        couples ? symbolic->couplings().sources.front() : symbolic->entries().source(symbolic->entries().num_entries() - 1));
    Triplets<S> entries{matrix.num_rows, matrix.num_rows, Symmetry::general};
    for (Index j = 0; j < matrix.num_cols; ++j) {
      for (auto k = static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j)]);
           k < static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
        const bool is_pivot = std::abs(matrix.values[k]) > 2.5;
        if (k != left_out || is_pivot) entries.add(matrix.row_indices[k], j, matrix.values[k]);
      }
    }
    const auto fewer = compress(std::move(entries));
    this->expect_solves(Factorization<S>(symbolic, fewer, unrefined()), fewer);
  }

  // an entry that was not analysed, below the blocks
  Triplets<S> entries{matrix.num_rows, matrix.num_rows, Symmetry::general};
  const auto level = [](const std::vector<Index>& levels, Index k) { return levels[static_cast<std::size_t>(k)]; };
  for (Index j = 0; j < matrix.num_cols; ++j) {
    for (Index i = 0; i < matrix.num_rows; ++i) {
      if (level(symbolic->blocks().level_of_row, i) > level(symbolic->blocks().level_of_column, j)) entries.add(i, j, S(1));
    }
  }
  const auto foreign = compress(std::move(entries));
  EXPECT_THROW(Factorization<S>(symbolic, foreign, unrefined()), UsageError);
}

// Each of two diagonal blocks loses a rank, which a coupling gives back: 12 - 2 + 1.
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

TYPED_TEST(BlockTriangularOf, RankAndNullSpaceAreThoseOfTheWhole) {
  using S = TypeParam;
  const auto matrix = two_singular_blocks<S>();
  const auto symbolic = analyze(matrix, in_blocks());
  ASSERT_TRUE(symbolic->blocks().splits());
  const Factorization<S> factorization(symbolic, matrix, in_blocks());
  const FactorizationReport& report = factorization.report().factorization;
  EXPECT_EQ(report.status, FactorizationStatus::singular);
  EXPECT_EQ(report.null_pivots.size(), 1U);
  EXPECT_TRUE(has_note(factorization.report(), "as a whole"));
  EXPECT_FALSE(factorization.symbolic().blocks().splits());
  const NullSpace<S> space = factorization.null_space();
  ASSERT_EQ(space.basis.num_cols, 1);
  const WideDense<S> expected = test::dense_null_space<S>(testing::dense(matrix), Operation::plain, 1);
  EXPECT_LE(test::distance_of_spaces<S>(space.basis, expected), 100 * this->kEps);

  // a right-hand side that has solutions
  DenseMatrix<S> b(12, 1);
  const DenseMatrix<S> a = testing::dense(matrix);
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < 12; ++j) b(i, 0) += a(i, j) * S(static_cast<RealOf<S>>(1 + j % 3));
  }
  DenseMatrix<S> x(12, 1);
  const SolveReport solve = factorization.solve(view_of(b), view_of(x));
  EXPECT_EQ(solve.verdict, Verdict::singular);
  EXPECT_EQ(solve.num_met(), 1);
}

TYPED_TEST(BlockTriangularOf, WithoutFactorsTheRankIsThatOfTheWholeToo) {
  using S = TypeParam;
  const auto matrix = two_singular_blocks<S>();
  SolverOptions options = in_blocks();
  options.factorization.kept = KeptFactors::none;
  const auto symbolic = analyze(matrix, options);
  ASSERT_TRUE(symbolic->blocks().splits());
  const Factorization<S> factorization(symbolic, matrix, options);
  EXPECT_EQ(factorization.report().factorization.null_pivots.size(), 1U);
  EXPECT_TRUE(has_note(factorization.report(), "as a whole"));
}

TYPED_TEST(BlockTriangularOf, SolvingOnceKeepsAllFactors) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kSeveral, 2, Shuffle::apart, 41);
  const auto symbolic = analyze(matrix, in_blocks());
  ASSERT_TRUE(symbolic->blocks().splits());
  const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 2, 6);
  DenseMatrix<S> x(b.num_rows, b.num_cols);
  const OnceReport report = solve_once<S>(symbolic, SystemMatrix<S>(matrix), view_of(b), view_of(x), in_blocks());
  EXPECT_EQ(report.solve.verdict, Verdict::solved);
  EXPECT_TRUE(has_note(report.system, "diagonal blocks"));
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), 10 * this->kEps);
}

TYPED_TEST(BlockTriangularOf, StructurallySingularMatricesStayWhole) {
  using S = TypeParam;
  Triplets<S> entries{6, 6, Symmetry::general};
  for (Index k = 0; k < 5; ++k) {
    entries.add(k, k, S(1));
    entries.add(k, k + 1, S(1));
  }
  const auto matrix = compress(std::move(entries));
  const auto symbolic = analyze(matrix, in_blocks());
  EXPECT_FALSE(symbolic->blocks().splits());
  EXPECT_EQ(Factorization<S>(symbolic, matrix, in_blocks()).report().factorization.null_pivots.size(), 1U);
}

TYPED_TEST(BlockTriangularOf, EntriesOfTheInverse) {
  using S = TypeParam;
  for (const Shuffle shuffle : {Shuffle::alike, Shuffle::apart}) {
    const auto matrix = reducible_matrix<S>({3, 1, 12, 1, 5, 1}, 2, shuffle, 17);
    const auto factorization = this->factorization_of(matrix, in_blocks());
    const WideDense<S> inverse = test::inverse(wide(testing::dense(matrix)));
    const auto diagonal = factorization.inverse_diagonal();
    for (Index k = 0; k < matrix.num_rows; ++k) {
      EXPECT_LE(std::abs(Wide<S>(diagonal.values[static_cast<std::size_t>(k)]) - inverse(k, k)), 200 * this->kEps);
    }
    EXPECT_EQ(diagonal.is_refined, shuffle == Shuffle::apart);  // alike: of the blocks alone

    const DenseMatrix<S> whole_pattern = testing::random_dense<S>(matrix.num_rows, matrix.num_rows, 1);
    Triplets<S> everything{matrix.num_rows, matrix.num_rows, Symmetry::general};
    for (Index j = 0; j < matrix.num_rows; ++j) {
      for (Index i = 0; i < matrix.num_rows; ++i) everything.add(i, j, whole_pattern(i, j));
    }
    const auto all = compress(std::move(everything));
    const auto entries = factorization.inverse_entries(all.pattern());
    EXPECT_EQ(entries.verdict, Verdict::solved);
    for (Index j = 0; j < matrix.num_rows; ++j) {
      for (Index i = 0; i < matrix.num_rows; ++i) {
        const S found =
            entries.values[static_cast<std::size_t>(j) * static_cast<std::size_t>(matrix.num_rows) + static_cast<std::size_t>(i)];
        EXPECT_LE(std::abs(Wide<S>(found) - inverse(i, j)), 200 * this->kEps);
      }
    }
  }
}

TYPED_TEST(BlockTriangularOf, SavedFactorsGiveTheSameBits) {
  using S = TypeParam;
  const testing::ScratchFolder folder;
  const auto matrix = reducible_matrix<S>(kGiant, 2, Shuffle::apart, 19);
  const auto b = testing::random_dense<S>(matrix.num_rows, 2, 4);
  const auto factorization = this->factorization_of(matrix, unrefined());
  factorization.save(folder.path("factors"));
  const auto loaded = Factorization<S>::load(folder.path("factors"), matrix, unrefined());
  EXPECT_TRUE(loaded.symbolic().blocks().splits());
  for (const Operation operation : {Operation::plain, Operation::transposed}) {
    EXPECT_EQ(this->solved(loaded, b, operation).values, this->solved(factorization, b, operation).values);
  }
}

TYPED_TEST(BlockTriangularOf, SparseRightHandSides) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kSeveral, 2, Shuffle::alike, 23);
  Triplets<S> sides{matrix.num_rows, 3, Symmetry::general};
  sides.add(0, 0, S(1));
  sides.add(matrix.num_rows - 1, 1, S(2));
  const auto b = compress(std::move(sides));
  DenseMatrix<S> x(matrix.num_rows, 3);
  EXPECT_EQ(this->factorization_of(matrix, in_blocks()).solve_sparse(b.view(), view_of(x)).verdict, Verdict::solved);
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, testing::dense(b)), 20 * this->kEps);
}

TEST(BlockTriangular, MixedPrecision) {
  const auto matrix = reducible_matrix<double>(kSeveral, 2, Shuffle::apart, 29);
  SolverOptions options = in_blocks();
  options.precision = Precision::mixed;
  const Factorization<double> factorization(analyze(matrix, options), matrix, options);
  EXPECT_TRUE(factorization.report().is_mixed);
  const auto b = testing::random_dense<double>(matrix.num_rows, 2, 4);
  for (const Operation operation : {Operation::plain, Operation::transposed}) {
    DenseMatrix<double> x(matrix.num_rows, 2);
    const SolveReport report = factorization.solve(view_of(b), view_of(x), operation);
    EXPECT_EQ(report.verdict, Verdict::solved);
    EXPECT_LE(report.worst().refinement_steps, 4);
    EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), x, b), 1e-15);
  }
}

TEST(BlockTriangular, StaticPivoting) {
  const auto matrix = reducible_matrix<double>(kGiant, 2, Shuffle::apart, 31);
  SolverOptions options = in_blocks();
  options.factorization.pivoting.kind = PivotingKind::static_structure;
  const Factorization<double> factorization(analyze(matrix, options), matrix, options);
  const auto b = testing::random_dense<double>(matrix.num_rows, 2, 4);
  DenseMatrix<double> x(matrix.num_rows, 2);
  EXPECT_EQ(factorization.solve(view_of(b), view_of(x)).verdict, Verdict::solved);
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), 1e-15);
}

TEST(BlockTriangular, NothingToSplit) {
  for (const Index order : {0, 1}) {
    Triplets<double> entries{order, order, Symmetry::general};
    if (order == 1) entries.add(0, 0, 2.0);
    const auto matrix = compress(std::move(entries));
    const auto symbolic = analyze(matrix, in_blocks());
    EXPECT_FALSE(symbolic->blocks().splits());
    const Factorization<double> factorization(symbolic, matrix, in_blocks());
    std::vector<double> b(static_cast<std::size_t>(order), 3.0);
    std::vector<double> x(b.size());
    EXPECT_EQ(factorization.solve(b, x).verdict, Verdict::solved);
    EXPECT_EQ(x, std::vector<double>(b.size(), 1.5));
  }
}

TEST(BlockTriangular, SchurComplementsKeepTheMatrixWhole) {
  const auto matrix = reducible_matrix<double>(kSeveral, 2, Shuffle::alike, 37);
  SolverOptions options = in_blocks();
  options.analysis.schur_variables = {3, 5};
  EXPECT_FALSE(analyze(matrix, options)->blocks().splits());
}

}  // namespace
}  // namespace frond
