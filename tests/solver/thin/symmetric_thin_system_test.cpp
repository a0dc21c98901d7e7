// SPDX-License-Identifier: BSD-3-Clause
// Tests symmetric systems without fronts, and those that only look like some.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <utility>

#include "frond/factorization.hpp"
#include "solver/thin/thin_analysis.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/thin_options.hpp"
#include "tests/support/typed_tests.hpp"

namespace frond {
namespace {

using testing::Flavour;
using testing::with_thin;

template <class S>
class SymmetricThinSystemTest : public ::testing::Test {};
using SymmetricScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SymmetricThinSystemTest, SymmetricScalars);

TYPED_TEST(SymmetricThinSystemTest, RefactorizesSymmetricValuesAndThoseThatAreNotAnyMore) {
  using S = TypeParam;
  const Index order = 30;
  Triplets<S> entries{order, order, Symmetry::general};
  for (Index k = 0; k < order; ++k) {
    entries.add(k, k, S(4));
    entries.add(k, (k + 1) % order, S(-1));
    entries.add((k + 1) % order, k, S(-1));
  }
  const SparseMatrix<S> matrix = compress(std::move(entries));
  Factorization<S> thin(matrix, with_thin(Use::always));
  ASSERT_TRUE(thin.analysis().thin());
  const DenseMatrix<S> b = testing::random_dense<S>(order, 1, 2);
  SparseMatrix<S> next = matrix;
  const auto expect_solves = [&](Method method, Count num_kept) {
    thin.refactorize(next.values);
    DenseMatrix<S> x(order, 1);
    ASSERT_EQ(thin.solve(view_of(b), view_of(x)).verdict, Verdict::solved);
    EXPECT_LE(testing::dense_componentwise_error(testing::dense(next), x, b), 10 * std::numeric_limits<RealOf<S>>::epsilon());
    EXPECT_EQ(thin.report().method, method);
    EXPECT_EQ(thin.report().num_kept_pivots, num_kept);
  };
  const Method definite = kIsComplex<S> ? thin.report().method : Method::cholesky;
  std::ranges::transform(next.values, next.values.begin(), [](S value) { return S(3) * value; });
  expect_solves(definite, order);
  std::ranges::transform(next.values, next.values.begin(), [](S value) { return -value; });
  expect_solves(kIsComplex<S> ? (definite == Method::cholesky ? Method::ldlh : Method::ldlt) : Method::ldlt, order);
  next.values[1] *= S(2);
  expect_solves(Method::lu, 0);
  next.values = matrix.values;
  expect_solves(definite, order);
}

TEST(SymmetricThinSystem, LeavesWhatIsNotDefiniteToFronts) {
  SparseMatrix<double> matrix = testing::laplacian<double>(3);
  matrix.values[3] = 60;  // off the diagonal
  const Factorization<double> not_definite(matrix, with_thin(Use::always));
  const Factorization<double> expected(matrix, with_thin(Use::never));
  EXPECT_EQ(not_definite.report().method, Method::ldlt);
  EXPECT_EQ(not_definite.report().notes, expected.report().notes);
  EXPECT_EQ(not_definite.report().factorization.inertia.negative, expected.report().factorization.inertia.negative);
  SolverOptions options = with_thin(Use::always);
  options.method = Method::cholesky;
  EXPECT_EQ(Factorization<double>(matrix, options).report().factorization.status, FactorizationStatus::not_positive_definite);
}

TEST(SymmetricThinSystem, TreatsSymmetricValuesAsSymmetric) {
  Triplets<double> entries{30, 30, Symmetry::general};
  for (Index k = 0; k < 30; ++k) {
    entries.add(k, k, 4);
    entries.add(k, (k + 1) % 30, -1);
    entries.add((k + 1) % 30, k, -1);
  }
  SparseMatrix<double> matrix = compress(std::move(entries));
  EXPECT_EQ(Factorization<double>(matrix, with_thin(Use::always)).report().method, Method::cholesky);
  matrix.values[1] = -2;
  const Analysis analysis = analyze(matrix, with_thin(Use::always));
  ASSERT_TRUE(analysis.thin());
  matrix.values[1] = -1;
  EXPECT_EQ(Factorization<double>(analysis, matrix).report().method, Method::cholesky);
  EXPECT_EQ(analysis.with_values(SystemMatrix<double>(matrix)).method(), Method::cholesky);
}

}  // namespace
}  // namespace frond
