// SPDX-License-Identifier: BSD-3-Clause
// Tests that Schur complements have the same bits on any number of threads.
#include "solver/numerics/schur/schur_complement.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "frond/dense.hpp"
#include "frond/factorization.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

template <class S>
class SchurComplementOnThreads : public ::testing::Test {};
TYPED_TEST_SUITE(SchurComplementOnThreads, test::Scalars);

// The fronts are large enough to be shared by threads, and there is more than one block of right-hand sides; the bits must not
// change.
TYPED_TEST(SchurComplementOnThreads, BitsDoNotDependOnThreads) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::laplacian<S>(13);
  std::vector<Index> plane(std::size_t{13} * 13);
  std::iota(plane.begin(), plane.end(), 6 * 13 * 13);
  for (const Method method : test::kRealMethods) {
    if (kIsComplex<S> && method == Method::cholesky) {
      continue;  // complex symmetric
    }
    SolverOptions options;
    options.analysis.schur_variables = plane;
    options.method = method;
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 70, 7);
    DenseMatrix<S> first;
    DenseMatrix<S> first_condensed;
    DenseMatrix<S> first_x;
    for (const int num_threads : {1, 2, 5}) {
      options.factorization.num_threads = num_threads;
      const Factorization<S> factorization(analyze(matrix, options), matrix);
      const DenseMatrix<S> complement = factorization.schur_complement();
      DenseMatrix<S> condensed(169, 70);
      factorization.condense(view_of(b), view_of(condensed));
      DenseMatrix<S> x(matrix.num_rows, 70);
      EXPECT_EQ(factorization.solve(view_of(b), view_of(x)).verdict, Verdict::solved);
      if (num_threads == 1) {
        first = complement;
        first_condensed = condensed;
        first_x = x;
      }
      EXPECT_EQ(complement.values, first.values) << num_threads;
      EXPECT_EQ(condensed.values, first_condensed.values) << num_threads;
      EXPECT_EQ(x.values, first_x.values) << num_threads;
    }
  }
}

}  // namespace
}  // namespace frond
