// SPDX-License-Identifier: BSD-3-Clause
// Tests solutions of A x = b, A^T x = b and A^H x = b on several ranks, against dense algebra.
#include <gtest/gtest.h>

#include <memory>

#include "frond/dense.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/solver/distributed/mpi/spread_options.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using test::Wide;
using test::WideDense;
using testing::Flavour;

template <class S>
DenseMatrix<S> operated(const DenseMatrix<S>& a, Operation operation) {
  DenseMatrix<S> result = a;
  for (Index j = 0; j < a.num_cols && operation != Operation::plain; ++j) {
    for (Index i = 0; i < a.num_rows; ++i) {
      result(j, i) = operation == Operation::adjoint ? conjugate(a(i, j)) : a(i, j);
    }
  }
  return result;
}

template <class S>
class DistributedSolutionsOf : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 60;

  void expect_solutions(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, const SolverOptions& options) const {
    auto factorization = factorize_on_ranks<S>(
        std::make_shared<const DistributedSystem<S>>(ranks_, ranks_.rank() == 0 ? &matrix : nullptr, options));
    for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
      SCOPED_TRACE(::testing::Message() << "operation " << static_cast<int>(operation));
      const DenseMatrix<S> b = testing::random_dense<S>(kOrder, 2, 7);
      DenseMatrix<S> x(kOrder, 2);
      const SolveReport report = factorization.solve(ranks_.rank() == 0 ? view_of(b) : DenseView<const S>{}, view_of(x), operation);
      EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
      expect_solution(operated(dense, operation), x, b);
    }
  }

  // Checks x against the bound of a componentwise backward error w, |x - x*| <= w |A^-1| (|A| |x| + |b|), where x* solves the dense
  // system.
  static void expect_solution(const DenseMatrix<S>& dense, const DenseMatrix<S>& x, const DenseMatrix<S>& b) {
    EXPECT_LE(testing::dense_componentwise_error(dense, x, b), kComponentwiseAccuracy<S>);
    const WideDense<S> a = test::wide(dense);
    const Eigen::MatrixXd errors = (test::wide(x) - test::solution<Wide<S>>(a, test::wide(b))).cwiseAbs();
    const Eigen::MatrixXd sizes = a.cwiseAbs() * test::wide(x).cwiseAbs() + test::wide(b).cwiseAbs();
    const Eigen::MatrixXd bounds = kComponentwiseAccuracy<S> * (test::inverse(a).cwiseAbs() * sizes);
    EXPECT_TRUE((errors.array() <= bounds.array()).all()) << errors.cwiseQuotient(bounds).maxCoeff() << " times the bound";
  }

  Communicator ranks_ = mpi_world(test::mpi_gate());
};
TYPED_TEST_SUITE(DistributedSolutionsOf, test::Scalars);

TYPED_TEST(DistributedSolutionsOf, EverySymmetryAndStorage) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian}) {
    if (symmetry == Symmetry::hermitian && !kIsComplex<S>) {
      continue;
    }
    SCOPED_TRACE(::testing::Message() << "symmetry " << static_cast<int>(symmetry));
    const Flavour flavour = symmetry == Symmetry::skew_symmetric ? Flavour::graded : Flavour::zero_diagonal;
    const auto matrix = testing::random_matrix<S>(this->kOrder, 4, symmetry, flavour, 11);
    this->expect_solutions(matrix, testing::dense(matrix), testing::spread());
    this->expect_solutions(SystemMatrix<S>(matrix.view(), true), testing::dense(matrix, Operation::transposed),
                           testing::spread_with_grid(this->ranks_));
  }
}

TYPED_TEST(DistributedSolutionsOf, ByCholesky) {
  using S = TypeParam;
  const Symmetry symmetry = kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric;
  const auto matrix = testing::random_matrix<S>(this->kOrder, 3, symmetry, Flavour::dominant, 2);
  for (const SolverOptions& options : {testing::spread(), testing::spread_with_grid(this->ranks_)}) {
    this->expect_solutions(matrix, testing::dense(matrix), options);
  }
}

}  // namespace
}  // namespace frond
