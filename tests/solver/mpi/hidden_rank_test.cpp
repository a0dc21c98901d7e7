// SPDX-License-Identifier: BSD-3-Clause
// Singular matrices whose pivots do not show it, on several ranks: rank, mixed precision, perturbed pivots.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "tests/solver/mpi/spread_options.hpp"
#include "tests/support/matrices/low_rank_matrices.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::IntegerMatrix;

template <class S>
class DistributedHiddenRank : public ::testing::Test {
 protected:
  [[nodiscard]] DistributedFactorization<S> factorize(const SparseMatrix<S>& matrix, const DistributedOptions& options) const {
    const SystemMatrix<S> given(matrix);
    return DistributedFactorization<S>(
        std::make_shared<const DistributedSystem<S>>(ranks_, ranks_.rank() == 0 ? &given : nullptr, options));
  }

  Communicator ranks_ = Communicator::world(test::mpi_gate());
};
using DoubleScalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(DistributedHiddenRank, DoubleScalars);

TYPED_TEST(DistributedHiddenRank, IsFoundByTheConditionOfTheRest) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const Index defect : {2, 25}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", defect " << defect);
      const IntegerMatrix exact = testing::low_rank_matrix(50, defect, Symmetry::general, seed);
      for (const KeptFactors kept : {KeptFactors::all, KeptFactors::none}) {
        DistributedOptions options = testing::spread();
        options.solver.factorization.kept = kept;
        const auto factorization = this->factorize(testing::as_sparse<TypeParam>(exact), options);
        EXPECT_EQ(50 - static_cast<Index>(factorization.report().factorization.null_pivots.size()), testing::rank_of(exact));
      }
    }
  }
}

TYPED_TEST(DistributedHiddenRank, IsNotLostInMixedPrecision) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      const IntegerMatrix exact = testing::low_rank_matrix(40, 1, symmetry, seed);
      DistributedOptions options = testing::spread();
      options.solver.precision = Precision::mixed;
      options.solver.error_bounds = ErrorBounds::first_column;
      auto factorization = this->factorize(testing::as_sparse<TypeParam>(exact), options);
      DenseMatrix<TypeParam> x(40, 1);
      const SolveReport report = factorization.solve(view_of(testing::random_dense<TypeParam>(40, 1, seed)), view_of(x));
      EXPECT_EQ(report.verdict, Verdict::singular) << report.describe();
      EXPECT_EQ(40 - report.num_null_pivots(), testing::rank_of(exact));
    }
  }
}

// Of a singular matrix factors with enlarged pivots cannot bound anything, and say so.
TYPED_TEST(DistributedHiddenRank, LeavesNoBoundsBehindPerturbedPivots) {
  const IntegerMatrix exact = testing::low_rank_matrix(30, 1, Symmetry::general, 5);
  DistributedOptions options = testing::spread();
  options.solver.factorization.pivoting.kind = PivotingKind::static_structure;
  options.solver.error_bounds = ErrorBounds::first_column;
  auto factorization = this->factorize(testing::as_sparse<TypeParam>(exact), options);
  ASSERT_GT(factorization.report().factorization.num_perturbed_pivots, 0);
  DenseMatrix<TypeParam> x(30, 1);
  const SolveReport report = factorization.solve(view_of(testing::random_dense<TypeParam>(30, 1, 6)), view_of(x));
  ASSERT_EQ(report.columns.size(), 1U);
  EXPECT_TRUE(std::isnan(report.columns[0].forward_error_bound)) << report.describe();
  EXPECT_FALSE(report.notes.empty());
}

}  // namespace
}  // namespace frond
