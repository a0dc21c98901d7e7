// SPDX-License-Identifier: BSD-3-Clause
// Tests block triangular forms in one process: threads, matchings, other values of the pattern, and matrices that stay whole.
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

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

// Turns refinement off, so that the factors alone solve.
SolverOptions unrefined(int num_threads = 1) {
  SolverOptions options = in_blocks(num_threads);
  options.refinement.max_steps = 0;
  options.refinement.max_krylov_steps = 0;
  return options;
}

template <class S>
class BlockTriangularOf : public ::testing::Test {
 protected:
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  static Factorization<S> factorization_of(const SparseMatrix<S>& matrix, const SolverOptions& options) {
    const auto analysis = analyze(matrix, options);
    EXPECT_TRUE(analysis.parts().symbolic->blocks().splits());
    return Factorization<S>(analysis, matrix);
  }

  static DenseMatrix<S> solved(const Factorization<S>& factorization, const DenseMatrix<S>& b, Operation operation) {
    DenseMatrix<S> x(b.num_rows, b.num_cols);
    static_cast<void>(factorization.solve(view_of(b), view_of(x), operation));  // single equations may need refinement
    return x;
  }

  static void expect_solves(const Factorization<S>& factorization, const SparseMatrix<S>& matrix) {
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 3, 5);
    DenseMatrix<S> x(b.num_rows, b.num_cols);
    const SolveReport report = factorization.solve(view_of(b), view_of(x));
    EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), 100 * kEps);  // without refinement
    if (report.verdict != Verdict::solved) {
      EXPECT_GT(testing::dense_componentwise_error(testing::dense(matrix), x, b), kComponentwiseAccuracy<S> / 2)
          << report.describe();
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

TYPED_TEST(BlockTriangularOf, OtherValuesOfThePattern) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kSeveral, 2, Shuffle::apart, 13);
  const auto analysis = analyze(matrix, unrefined());
  ASSERT_TRUE(analysis.parts().symbolic->blocks().splits());
  auto other = matrix;
  for (S& value : other.values) value *= S(-3);
  this->expect_solves(Factorization<S>(analysis, other), other);

  // leaves out a coupling entry, or an entry of a block
  for (const bool couples : {true, false}) {
    const std::size_t left_out = static_cast<std::size_t>(
        couples ? analysis.parts().symbolic->couplings().sources.front()
                : analysis.parts().symbolic->entries().source(analysis.parts().symbolic->entries().num_entries() - 1));
    Triplets<S> entries{matrix.num_rows, matrix.num_rows, Symmetry::general};
    for (Index j = 0; j < matrix.num_cols; ++j) {
      for (auto k = static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j)]);
           k < static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
        const bool is_pivot = std::abs(matrix.values[k]) > 2.5;
        if (k != left_out || is_pivot) entries.add(matrix.row_indices[k], j, matrix.values[k]);
      }
    }
    const auto fewer = compress(std::move(entries));
    this->expect_solves(Factorization<S>(analysis, fewer), fewer);
  }

  // adds an entry below the blocks that was not analysed
  Triplets<S> entries{matrix.num_rows, matrix.num_rows, Symmetry::general};
  const auto level = [](const std::vector<Index>& levels, Index k) { return levels[static_cast<std::size_t>(k)]; };
  for (Index j = 0; j < matrix.num_cols; ++j) {
    for (Index i = 0; i < matrix.num_rows; ++i) {
      if (level(analysis.parts().symbolic->blocks().level_of_row, i) >
          level(analysis.parts().symbolic->blocks().level_of_column, j))
        entries.add(i, j, S(1));
    }
  }
  const auto foreign = compress(std::move(entries));
  EXPECT_THROW(Factorization<S>(analysis, foreign), UsageError);
}

TYPED_TEST(BlockTriangularOf, StructurallySingularMatricesStayWhole) {
  using S = TypeParam;
  Triplets<S> entries{6, 6, Symmetry::general};
  for (Index k = 0; k < 5; ++k) {
    entries.add(k, k, S(1));
    entries.add(k, k + 1, S(1));
  }
  const auto matrix = compress(std::move(entries));
  const auto analysis = analyze(matrix, in_blocks());
  EXPECT_FALSE(analysis.parts().symbolic->blocks().splits());
  EXPECT_EQ(Factorization<S>(analysis, matrix).report().factorization.null_pivots.size(), 1U);
}

// Where rows and columns are shuffled alike, the diagonal of the inverse depends on the blocks only.
TYPED_TEST(BlockTriangularOf, EntriesOfTheInverseAreRefinedWhereLevelsMeet) {
  for (const Shuffle shuffle : {Shuffle::alike, Shuffle::apart}) {
    const auto matrix = reducible_matrix<TypeParam>({3, 1, 12, 1, 5, 1}, 2, shuffle, 17);
    const auto diagonal = this->factorization_of(matrix, in_blocks()).inverse_diagonal();
    EXPECT_EQ(diagonal.is_refined, shuffle == Shuffle::apart);
    EXPECT_EQ(diagonal.verdict, Verdict::solved);
  }
}

TEST(BlockTriangular, MixedPrecision) {
  const auto matrix = reducible_matrix<double>(kSeveral, 2, Shuffle::apart, 29);
  SolverOptions options = in_blocks();
  options.precision = Precision::mixed;
  const Factorization<double> factorization(analyze(matrix, options), matrix);
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

TEST(BlockTriangular, NothingToSplit) {
  for (const Index order : {0, 1}) {
    Triplets<double> entries{order, order, Symmetry::general};
    if (order == 1) entries.add(0, 0, 2.0);
    const auto matrix = compress(std::move(entries));
    SolverOptions options = in_blocks();
    options.symmetry = SymmetryUse::as_stored;
    const auto analysis = analyze(matrix, options);
    EXPECT_FALSE(analysis.parts().symbolic->blocks().splits());
    const Factorization<double> factorization(analysis, matrix);
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
  EXPECT_FALSE(analyze(matrix, options).parts().symbolic->blocks().splits());
}

}  // namespace
}  // namespace frond
