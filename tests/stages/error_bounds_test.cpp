// SPDX-License-Identifier: BSD-3-Clause
// Tests bounds of the forward error and condition numbers against inverses in extended precision.
#include "solver/numerics/accuracy/error_bound.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

using testing::Flavour;

template <class S>
using Long = std::conditional_t<kIsComplex<S>, std::complex<long double>, long double>;
template <class S>
using LongMatrix = Eigen::Matrix<Long<S>, Eigen::Dynamic, Eigen::Dynamic>;

template <class S>
LongMatrix<S> to_long(const DenseMatrix<S>& matrix) {
  LongMatrix<S> result(matrix.num_rows, matrix.num_cols);
  for (Index j = 0; j < matrix.num_cols; ++j) {
    for (Index i = 0; i < matrix.num_rows; ++i) {
      result(i, j) = Long<S>(matrix(i, j));
    }
  }
  return result;
}

template <class S>
struct BoundedSolution {
  SolveReport report;
  DenseMatrix<S> x;
};

template <class S>
BoundedSolution<S> solve_with_bounds(const SystemMatrix<S>& matrix, const DenseMatrix<S>& b, Operation operation,
                                     ErrorBounds bounds) {
  StageOptions options{{}, Layout::grid};
  options.solver.error_bounds = bounds;
  BoundedSolution<S> solved{{}, DenseMatrix<S>(b.num_rows, b.num_cols)};
  solved.report = factorize(matrix, options)->solve(b, solved.x, operation);
  return solved;
}

struct ExactError {
  long double bound = 0;
  long double condition = 0;
};

// Returns, with g = |A| |x| + |b|:  || |A^-1| (|r| + 2 eps g) || / ||x||  and  || |A^-1| g || / ||x||.
template <class S>
ExactError exact_error(const LongMatrix<S>& a, const LongMatrix<S>& x, const LongMatrix<S>& b) {
  using Reals = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Reals sizes = a.cwiseAbs();
  const long double eps = std::numeric_limits<RealOf<S>>::epsilon();
  const Reals g = sizes * x.cwiseAbs() + b.cwiseAbs();
  const Reals f = (b - a * x).cwiseAbs() + 2 * eps * g;
  const Reals inverse = a.fullPivLu().inverse().cwiseAbs();
  const long double size_of_x = x.cwiseAbs().maxCoeff();
  return {(inverse * f).maxCoeff() / size_of_x, (inverse * g).maxCoeff() / size_of_x};
}

template <class S>
class ErrorBoundOf : public ::testing::Test {};
TYPED_TEST_SUITE(ErrorBoundOf, test::Scalars);

TYPED_TEST(ErrorBoundOf, IsThatOfTheInverseAndHolds) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
      for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
        for (const bool by_rows : {false, true}) {
          SCOPED_TRACE(static_cast<int>(symmetry) * 100 + static_cast<int>(flavour) * 10 + static_cast<int>(operation));
          const auto stored = testing::random_matrix<S>(30, 3, symmetry, flavour, 7);
          const auto b = testing::random_dense<S>(30, 2, 8);
          const SystemMatrix<S> system(stored.view(), by_rows);
          const BoundedSolution<S> solved = solve_with_bounds<S>(system, b, operation, ErrorBounds::all_columns);
          LongMatrix<S> a = to_long<S>(testing::dense(stored, Operation::plain));
          if (by_rows) {
            a.transposeInPlace();
          }
          if (operation != Operation::plain) {
            a.transposeInPlace();
          }
          if (operation == Operation::adjoint) {
            a = a.conjugate().eval();
          }
          const LongMatrix<S> exact = a.fullPivLu().solve(to_long<S>(b));
          for (Index j = 0; j < 2; ++j) {
            const LongMatrix<S> x = to_long<S>(solved.x).col(j);
            const ColumnReport& column = solved.report.columns[j];
            const double bound = column.forward_error_bound;
            const ExactError reference = exact_error<S>(a, x, to_long<S>(b).col(j));
            EXPECT_LE(bound, 2.2L * reference.bound) << "but for the rounding of the residual";
            EXPECT_GE(bound, reference.bound / 3);
            EXPECT_LE(column.componentwise_condition, 1.01L * reference.condition);
            EXPECT_GE(column.componentwise_condition, reference.condition / 3);
            EXPECT_LE((x - exact.col(j)).cwiseAbs().maxCoeff() / x.cwiseAbs().maxCoeff(), 3 * bound);
          }
        }
      }
    }
  }
}

TYPED_TEST(ErrorBoundOf, ComesWithTheConditionNumber) {
  using S = TypeParam;
  for (const bool by_rows : {false, true}) {
    const auto stored = testing::random_matrix<S>(40, 3, Symmetry::general, Flavour::dominant, 3);
    const auto b = testing::random_dense<S>(40, 1, 8);
    const BoundedSolution<S> solved =
        solve_with_bounds<S>(SystemMatrix<S>(stored.view(), by_rows), b, Operation::plain, ErrorBounds::first_column);
    LongMatrix<S> a = to_long<S>(testing::dense(stored));
    if (by_rows) {
      a.transposeInPlace();
    }
    const LongMatrix<S> inverse = a.fullPivLu().inverse();
    const long double condition = a.cwiseAbs().colwise().sum().maxCoeff() * inverse.cwiseAbs().colwise().sum().maxCoeff();
    EXPECT_LE(solved.report.condition, 1.01L * condition);
    EXPECT_GE(solved.report.condition, condition / 3);
  }
}

// Scales the equations by powers of two: the bound of x hardly changes.
TEST(ErrorBound, DoesNotDependOnTheScaleOfEquations) {
  SparseMatrix<double> matrix = testing::random_matrix<double>(30, 3, Symmetry::general, Flavour::dominant, 5);
  DenseMatrix<double> b = testing::random_dense<double>(30, 1, 6);
  const ColumnReport unscaled = solve_with_bounds<double>(matrix, b, Operation::plain, ErrorBounds::first_column).report.columns[0];
  const double bound = unscaled.forward_error_bound;
  const double condition = unscaled.componentwise_condition;
  for (Count k = 0; k < matrix.num_entries(); ++k) {
    double& value = matrix.values[k];
    value = std::ldexp(value, 40 * (matrix.row_indices[k] % 3 - 1));
  }
  for (Index i = 0; i < 30; ++i) {
    b(i, 0) = std::ldexp(b(i, 0), 40 * (i % 3 - 1));
  }
  const SolveReport scaled = solve_with_bounds<double>(matrix, b, Operation::plain, ErrorBounds::first_column).report;
  EXPECT_LE(scaled.columns[0].forward_error_bound, 4 * bound);
  EXPECT_GE(scaled.columns[0].forward_error_bound, bound / 4);
  EXPECT_NEAR(scaled.columns[0].componentwise_condition / condition, 1, 0.01);
  EXPECT_GT(scaled.condition, 1e10) << "which the condition number takes for ill-conditioned";
}

TEST(ErrorBound, IsOfTheColumnsAskedFor) {
  const auto matrix = testing::random_matrix<double>(30, 3, Symmetry::symmetric, Flavour::dominant, 5);
  const auto b = testing::random_dense<double>(30, 3, 6);
  const auto known = [&](ErrorBounds bounds) {
    const SolveReport report = solve_with_bounds<double>(matrix, b, Operation::plain, bounds).report;
    EXPECT_EQ(std::isnan(report.condition), bounds == ErrorBounds::never);
    return std::count_if(report.columns.begin(), report.columns.end(),
                         [](const ColumnReport& column) { return !std::isnan(column.forward_error_bound); });
  };
  EXPECT_EQ(known(ErrorBounds::never), 0);
  EXPECT_EQ(known(ErrorBounds::first_column), 1);
  EXPECT_EQ(known(ErrorBounds::all_columns), 3);
}

TEST(ErrorBound, OfNothingAndOfZerosIsZero) {
  const SparseMatrix<double> nothing = compress(Triplets<double>{0, 0});
  EXPECT_EQ(solve_with_bounds<double>(nothing, DenseMatrix<double>(0, 1), Operation::plain, ErrorBounds::all_columns)
                .report.worst()
                .forward_error_bound,
            0);
  const auto matrix = testing::random_matrix<double>(30, 3, Symmetry::symmetric, Flavour::dominant, 5);
  EXPECT_EQ(solve_with_bounds<double>(matrix, DenseMatrix<double>(30, 1), Operation::plain, ErrorBounds::all_columns)
                .report.columns[0]
                .forward_error_bound,
            0);
}

TEST(ErrorBound, TellsOfIllConditionedMatricesInWords) {
  constexpr Index kOrder = 10;
  const SparseMatrix<double> hilbert = testing::hilbert_matrix(kOrder);
  DenseMatrix<double> b(kOrder, 1);
  std::fill(b.values.begin(), b.values.end(), 1);
  const SolveReport report = solve_with_bounds<double>(hilbert, b, Operation::plain, ErrorBounds::first_column).report;
  EXPECT_EQ(report.verdict, Verdict::solved);
  EXPECT_GT(report.condition, 1e13);
  EXPECT_LT(report.condition, 1e14);
  EXPECT_NE(report.describe().find("but the matrix is so ill-conditioned (condition number about 3.5e+13) that only about"),
            std::string::npos)
      << report.describe();

  const SolveReport unbounded = solve_with_bounds<double>(hilbert, b, Operation::plain, ErrorBounds::never).report;
  EXPECT_TRUE(std::isnan(unbounded.condition));
  EXPECT_GT(unbounded.equilibrated_condition, 1e12);
  EXPECT_NE(unbounded.describe().find("; the equilibrated matrix is ill-conditioned (condition number about"), std::string::npos)
      << unbounded.describe();
}

// The estimate then belongs to the factorized block, not to the matrix.
TEST(ErrorBound, DoesNotWarnOfABlockWhereASchurComplementIsKept) {
  const SparseMatrix<double> hilbert = testing::hilbert_matrix(10);
  StageOptions options;
  options.solver.analysis.schur_variables = {9};
  const auto factorization = factorize<double>(hilbert, options);
  EXPECT_GT(factorization->report().equilibrated_condition, 1e10);
  DenseMatrix<double> x(10, 1);
  EXPECT_TRUE(std::isnan(factorization->solve(testing::random_dense<double>(10, 1, 3), x).equilibrated_condition));
}

}  // namespace
}  // namespace frond::stages
