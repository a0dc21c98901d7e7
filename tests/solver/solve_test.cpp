// SPDX-License-Identifier: BSD-3-Clause
// Tests systems solved in one call, and right-hand sides eliminated with the matrix: threads, memory, and refused input.
#include "frond/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "matrices/explicit_zeros.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;

SolverOptions on_threads(int num_threads) {
  SolverOptions options;
  options.factorization.num_threads = num_threads;
  return options;
}

template <Scalar S>
struct Solved {
  OnceReport report;
  DenseMatrix<S> x;
};

template <Scalar S>
Solved<S> solved_once(const SystemMatrix<S>& matrix, const DenseMatrix<S>& b, const SolverOptions& options) {
  Solved<S> solved{{}, DenseMatrix<S>(b.num_rows, b.num_cols)};
  solved.report = solve_once(analyze(matrix, options), matrix, view_of(b), view_of(solved.x));
  return solved;
}

template <class S>
class SolveOnceTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SolveOnceTest, Scalars);

TYPED_TEST(SolveOnceTest, BitsDoNotDependOnThreads) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  const SparseMatrix<S> matrix = testing::random_matrix<S>(300, 4, Symmetry::general, Flavour::dominant, 1);
  for (const Index num_columns : {1, 3, 70}) {
    const DenseMatrix<S> b = testing::random_dense<S>(300, num_columns, 2);
    Solved<S> first;
    for (const int num_threads : {1, 2}) {
      const Solved<S> solved = solved_once<S>(matrix, b, on_threads(num_threads));
      EXPECT_TRUE(solved.report.system.notes.empty()) << solved.report.system.notes.front();
      EXPECT_EQ(solved.report.solve.verdict, Verdict::solved);
      EXPECT_EQ(solved.report.solve.columns.size(), static_cast<std::size_t>(num_columns));
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), solved.x, b), 50 * eps);
      if (num_threads == 1) {
        first = solved;
      }
      EXPECT_EQ(solved.x.values, first.x.values) << "bits depend on threads";
    }
    const Factorization<S> factorization(analyze(matrix), matrix);
    DenseMatrix<S> x(300, num_columns);
    ASSERT_EQ(factorization.solve(view_of(b), view_of(x)).verdict, Verdict::solved);
    for (std::size_t k = 0; k < x.values.size(); ++k) {
      EXPECT_LE(std::abs(x.values[k] - first.x.values[k]), 1000 * eps);
    }
  }
}

TYPED_TEST(SolveOnceTest, TakesOneRightHandSideAndRefusesOthersThatDoNotFit) {
  using S = TypeParam;
  Triplets<S> one{.num_rows = 1, .num_cols = 1, .symmetry = Symmetry::general};
  one.add(0, 0, S(4));
  const SparseMatrix<S> single = compress(std::move(one));
  DenseMatrix<S> b(1, 1);
  b(0, 0) = S(2);
  S x{};
  EXPECT_EQ(solve_once<S>(analyze(single), single, b.values, std::span(&x, 1)).solve.verdict, Verdict::solved);
  EXPECT_EQ(x, S(0.5));
  DenseMatrix<S> short_x(0, 1);
  EXPECT_THROW((void)solve_once<S>(analyze(single), single, view_of(std::as_const(b)), view_of(short_x)), UsageError);
}

// Keeps half of the entries, and those of block columns above the diagonal.
TEST(SolveOnce, KeepsTheFactorOfTheBackwardSweep) {
  SparseMatrix<double> matrix = testing::laplacian<double>(16);
  SolverOptions options = on_threads(1);
  options.method = Method::lu;
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 1, 2);
  const Solved<double> solved = solved_once<double>(matrix, b, options);
  EXPECT_TRUE(solved.report.system.notes.empty()) << solved.report.system.notes.front();
  const Factorization<double> all(analyze<double>(matrix, options), matrix);
  const FactorizationReport& half = solved.report.system.factorization;
  EXPECT_LT(half.factor_bytes, all.report().factorization.factor_bytes * 65 / 100);
  EXPECT_LT(half.peak_bytes, all.report().factorization.peak_bytes * 9 / 10);
  EXPECT_EQ(half.factor_entries, all.report().factorization.factor_entries);
}

TEST(Solve, TakesOneCall) {
  const auto matrix = testing::random_matrix<double>(60, 3, Symmetry::symmetric, Flavour::zero_diagonal, 1);
  const auto b = testing::random_dense<double>(60, 1, 2).values;
  const auto [x, report] = frond::solve(matrix, b);
  EXPECT_EQ(report.verdict, Verdict::solved);
  std::vector<double> expected(60);
  const SparseMatrix<double> without = without_zeros(matrix.view());
  (void)Factorization<double>(analyze(without), without).solve(b, expected);
  EXPECT_EQ(x, expected);
  const auto of_temporary = frond::solve(testing::random_matrix<double>(60, 3, Symmetry::symmetric, Flavour::zero_diagonal, 1), b);
  EXPECT_EQ(of_temporary.x, expected);
  EXPECT_THROW((void)frond::solve(matrix, std::vector<double>(59)), UsageError);
}

}  // namespace
}  // namespace frond
