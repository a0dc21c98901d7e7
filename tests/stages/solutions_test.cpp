// SPDX-License-Identifier: BSD-3-Clause
// Tests solutions of A x = b, A^T x = b and A^H x = b, and determinants, against dense algebra, for matrices of every kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "frond/error.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/dense_determinant.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"

namespace frond::stages {
namespace {

using test::Wide;
using test::WideDense;
using testing::Flavour;

template <class S>
class SolutionsOf : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 60;
  static constexpr Symmetry kDefinite = kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric;
  static constexpr Method kHermitian = kIsComplex<S> ? Method::ldlh : Method::ldlt;

  // Factorizes by one thread without a matching and by two with one, which take turns with their layouts.
  static void expect_solutions(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, Method method,
                               SolverOptions options = {}, Layout of_matched = Layout::grid) {
    for (const Use matching : {Use::never, Use::always}) {
      SCOPED_TRACE(::testing::Message() << "matching " << static_cast<int>(matching));
      options.analysis.ordering.matching = matching;
      options.factorization.num_threads = matching == Use::always ? 2 : 1;
      const bool has_grid = (matching == Use::always) == (of_matched == Layout::grid);
      const auto factorization = factorize(matrix, {options, has_grid ? Layout::grid : Layout::rows});
      EXPECT_EQ(to_string(factorization->report().method), to_string(method));
      expect_solutions(*factorization, dense);
    }
  }

  static void expect_solutions(const StagedFactorization<S>& factorization, const DenseMatrix<S>& dense) {
    const test::DenseDeterminant determinant = test::dense_determinant(dense);
    EXPECT_LE(test::relative_difference(factorization.report().factorization.determinant, determinant.value),
              determinant.tolerance);
    for (const auto& [operation, num_columns] :
         {std::pair(Operation::plain, 70), {Operation::transposed, 1}, {Operation::adjoint, 5}}) {
      SCOPED_TRACE(::testing::Message() << "operation " << static_cast<int>(operation));
      const DenseMatrix<S> b = testing::random_dense<S>(kOrder, num_columns, 7);
      DenseMatrix<S> x(kOrder, num_columns);
      const SolveReport report = factorization.solve(b, x, operation);
      EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
      EXPECT_EQ(report.columns.size(), static_cast<std::size_t>(num_columns));
      expect_solution(dense_operation(operation, dense), x, b);
    }
  }

  // Checks x against the bound of a componentwise backward error w, |x - x*| <= w |A^-1| (|A| |x| + |b|), where x* solves the dense
  // system.
  static void expect_solution(const DenseMatrix<S>& dense, const DenseMatrix<S>& x, const DenseMatrix<S>& b) {
    EXPECT_LE(testing::dense_backward_error(dense, x, b), 20 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
    EXPECT_LE(testing::dense_componentwise_error(dense, x, b), kComponentwiseAccuracy<S>);
    const WideDense<S> a = test::wide(dense);
    const Eigen::MatrixXd errors = (test::wide(x) - test::solution<Wide<S>>(a, test::wide(b))).cwiseAbs();
    const Eigen::MatrixXd sizes = a.cwiseAbs() * test::wide(x).cwiseAbs() + test::wide(b).cwiseAbs();
    const Eigen::MatrixXd bounds = kComponentwiseAccuracy<S> * (test::inverse(a).cwiseAbs() * sizes);
    EXPECT_TRUE((errors.array() <= bounds.array()).all()) << errors.cwiseQuotient(bounds).maxCoeff() << " times the bound";
  }
};
TYPED_TEST_SUITE(SolutionsOf, test::Scalars);

TYPED_TEST(SolutionsOf, EveryKindAndStorage) {
  using S = TypeParam;
  struct Kind {
    Symmetry symmetry;
    Flavour flavour;
    Method method;
  };
  using enum Symmetry;
  using enum Flavour;
  for (const auto& [symmetry, flavour, method] :
       {Kind{general, dominant, Method::lu}, Kind{general, zero_diagonal, Method::lu}, Kind{general, graded, Method::lu},
        Kind{skew_symmetric, dominant, Method::lu}, Kind{skew_symmetric, graded, Method::lu},
        Kind{symmetric, zero_diagonal, Method::ldlt}, Kind{symmetric, graded, Method::ldlt},
        Kind{hermitian, zero_diagonal, this->kHermitian}, Kind{hermitian, graded, this->kHermitian},
        Kind{this->kDefinite, dominant, Method::cholesky}}) {
    SCOPED_TRACE(::testing::Message() << "symmetry " << static_cast<int>(symmetry) << ", flavour " << static_cast<int>(flavour));
    const auto matrix = testing::random_matrix<S>(this->kOrder, 4, symmetry, flavour, 11);
    this->expect_solutions(matrix, testing::dense(matrix), method);
    const auto rows = compressed_rows<S>(this->kOrder, matrix.column_offsets, matrix.row_indices, matrix.values, symmetry);
    EXPECT_EQ(rows.stored.values.data(), matrix.values.data());
    this->expect_solutions(rows, testing::dense(matrix, Operation::transposed), method, {}, Layout::rows);
  }
}

TYPED_TEST(SolutionsOf, PositiveDefiniteMatricesByOtherMethods) {
  const auto matrix = testing::random_matrix<TypeParam>(this->kOrder, 3, this->kDefinite, Flavour::dominant, 2);
  for (const Method method : {this->kHermitian, Method::lu}) {
    this->expect_solutions(matrix, testing::dense(matrix), method, {.method = method});
  }
}

TYPED_TEST(SolutionsOf, AreUnmeasuredOnRequest) {
  using S = TypeParam;
  int num_unmeasured = 0;
  SolverOptions options;
  options.refinement.measures = false;
  for (const auto& matrix : {testing::random_matrix<S>(this->kOrder, 4, Symmetry::general, Flavour::zero_diagonal, 11),
                             testing::random_matrix<S>(this->kOrder, 4, this->kDefinite, Flavour::dominant, 11),
                             testing::reducible_matrix<S>({1, 9, 1, 20, 28, 1}, 3, testing::Shuffle::apart, 8)}) {
    const auto factorization = factorize(SystemMatrix<S>(matrix), {options, Layout::grid});
    for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
      const DenseMatrix<S> b = testing::random_dense<S>(this->kOrder, 3, 7);
      DenseMatrix<S> x(this->kOrder, 3);
      const SolveReport report = factorization->solve(b, x, operation);
      if (!may_stay_unmeasured<S>(factorization->report().factorization)) {
        EXPECT_EQ(report.verdict, Verdict::solved);
        continue;
      }
      ++num_unmeasured;
      EXPECT_EQ(report.verdict, Verdict::unmeasured);
      EXPECT_EQ(report.num_met(), 0);
      EXPECT_TRUE(std::isnan(report.worst().normwise_backward_error));
      EXPECT_TRUE(std::isnan(report.worst().componentwise_backward_error));
      EXPECT_NE(report.describe().find("neither refined nor measured"), std::string::npos);
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), x, b),
                1000 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
    }
  }
  EXPECT_GE(num_unmeasured, 6);
}

// Where factors do not solve the system by themselves, or bounds are asked for, errors are measured all the same.
TEST(SolutionsOfDoubles, AreMeasuredWhereTheyHaveToBe) {
  const auto expect_verdict = [](const SparseMatrix<double>& matrix, Verdict verdict, const auto& change) {
    SolverOptions options;
    options.refinement.measures = false;
    change(options);
    const auto factorization = factorize(SystemMatrix<double>(matrix), {options, Layout::rows});
    const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 1, 7);
    DenseMatrix<double> x(matrix.num_rows, 1);
    const SolveReport report = factorization->solve(b, x);
    EXPECT_EQ(report.verdict, verdict) << report.describe();
    EXPECT_FALSE(std::isnan(report.worst().componentwise_backward_error));
  };
  const auto regular = testing::random_matrix<double>(60, 4, Symmetry::symmetric, Flavour::zero_diagonal, 11);
  expect_verdict(testing::singular_laplacian(3), Verdict::singular, [](SolverOptions&) {});
  expect_verdict(regular, Verdict::solved, [](SolverOptions& options) { options.mixed_precision = true; });
  expect_verdict(regular, Verdict::solved, [](SolverOptions& options) { options.error_bounds = ErrorBounds::first_column; });
  expect_verdict(regular, Verdict::solved, [](SolverOptions& options) {
    options.factorization.pivoting.kind = PivotingKind::static_structure;
    options.analysis.ordering.matching = Use::never;
  });
}

// Indefinite, though the diagonal is positive.
TYPED_TEST(SolutionsOf, WhereCholeskyFails) {
  using S = TypeParam;
  auto matrix = testing::random_matrix<S>(this->kOrder, 4, this->kDefinite, Flavour::dominant, 11);
  testing::for_each_entry(matrix, [](Index i, Index j, S& value) { value = i == j ? S(1) : value; });
  this->expect_solutions(matrix, testing::dense(matrix), this->kHermitian);
}

TYPED_TEST(SolutionsOf, MatchedRowsOrPairs) {
  using S = TypeParam;
  StageOptions options;
  options.solver.analysis.ordering.matching = Use::always;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::skew_symmetric, Symmetry::symmetric, Symmetry::hermitian}) {
    const auto matrix = testing::random_matrix<S>(90, 3, symmetry, Flavour::zero_diagonal, 1);
    const bool has_rows = symmetry == Symmetry::general || symmetry == Symmetry::skew_symmetric;
    EXPECT_EQ(analyse<S>(matrix, options)->symbolic().ordering().matching, has_rows ? MatchingKind::rows : MatchingKind::pairs);
  }
}

TYPED_TEST(SolutionsOf, SparseSides) {
  using S = TypeParam;
  constexpr Index kLarger = 90;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    if (symmetry == Symmetry::symmetric && !is_one_process()) {
      continue;  // there is no time
    }
    const auto matrix = testing::random_matrix<S>(kLarger, 3, symmetry, Flavour::zero_diagonal, 4);
    StageOptions options{{}, Layout::grid};
    options.solver.error_bounds = ErrorBounds::first_column;
    const auto factorization = factorize<S>(matrix, options);
    for (const Index num_columns : {0, 1, is_one_process() ? 150 : 70}) {
      Triplets<S> entries{kLarger, num_columns};
      for (Index j = 0; j < num_columns; j += j % 7 == 2 ? 2 : 1) {  // the other columns are zero
        entries.add((11 * j + 5) % kLarger, j, S(1));
        entries.add((11 * j + 6) % kLarger, j, S(-2));
      }
      const SparseMatrix<S> b = compress(std::move(entries));
      for (const Operation operation : test::kOperations) {
        DenseMatrix<S> x(kLarger, num_columns);
        const SolveReport report = factorization->solve_sparse(b, x, operation);
        if (is_one_process()) {
          DenseMatrix<S> by_dense(kLarger, num_columns);
          EXPECT_EQ(factorization->solve(testing::dense(b), by_dense, operation).describe(), report.describe());
          EXPECT_EQ(x.values, by_dense.values);
        }
        EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
        EXPECT_EQ(report.columns.size(), static_cast<std::size_t>(num_columns));
        EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), x, testing::dense(b)),
                  20 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
        const auto num_bounded = std::count_if(report.columns.begin(), report.columns.end(),
                                               [](const ColumnReport& column) { return !std::isnan(column.forward_error_bound); });
        EXPECT_EQ(num_bounded, std::min(num_columns, Index{1}));
      }
      DenseMatrix<S> x(kLarger, num_columns + (is_led_here() ? 1 : 0));  // columns that B does not have
      EXPECT_THROW((void)factorization->solve_sparse(b, x), UsageError);
    }
  }
}

}  // namespace
}  // namespace frond::stages
