// SPDX-License-Identifier: BSD-3-Clause
// Verdict and rank of whole systems that several ranks solve by way of a Schur complement.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "factorization/kernels/matrix_view.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "tests/support/matrices/known_products.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

template <class S>
class SchurRankOnRanks : public ::testing::Test {
 protected:
  void expect_known(const testing::KnownProduct<S>& product, const DistributedOptions& options) const {
    SCOPED_TRACE(product.name);
    const SystemMatrix<S> matrix(product.matrix);
    const bool is_first = ranks_.rank() == 0;
    DistributedFactorization<S> factorization(
        std::make_shared<const DistributedSystem<S>>(ranks_, is_first ? &matrix : nullptr, options));
    ASSERT_EQ(factorization.report().factorization.status, FactorizationStatus::success);
    const Index n = product.matrix.num_rows;
    const DenseMatrix<S> solution = testing::random_dense<S>(n, 1, 7);
    DenseMatrix<S> b(n, 2);
    multiply<S>(product.matrix.view(), Operation::transposed, solution.column(0), b.column(0));
    const DenseMatrix<S> any = testing::random_dense<S>(n, 1, 8);
    std::copy(any.values.begin(), any.values.end(), b.column(1).begin());
    DenseMatrix<S> x(n, 2);
    for (int repeated = 0; repeated < 2; ++repeated) {
      const SolveReport report = factorization.solve(is_first ? view_of(std::as_const(b)) : DenseView<const S>{},
                                                     is_first ? view_of(x) : DenseView<S>{}, Operation::transposed);
      EXPECT_EQ(report.num_null_pivots(), n - product.rank) << report.describe();
      EXPECT_EQ(report.verdict, product.rank < n ? Verdict::singular : Verdict::solved) << report.describe();
      EXPECT_EQ(report.num_met(), product.rank < n ? 1 : 2) << report.describe();
    }
  }

  Communicator ranks_ = Communicator::world(test::mpi_gate());
};
TYPED_TEST_SUITE(SchurRankOnRanks, test::Scalars);

// With the complement on one rank, and on a grid.
TYPED_TEST(SchurRankOnRanks, IsThatOfTheWholeMatrix) {
  Index num_tested = 0;
  for (const auto& product : testing::known_products<TypeParam>()) {
    DistributedOptions options;
    MappingOptions& mapping = options.solver.analysis.mapping;
    mapping.layer = {.tolerance = 0.01, .upper_node_seconds = 0};
    mapping.rows = {.min_slave_rows = 2, .min_front_flops = 0};
    options.solver.analysis.schur_variables = product.kept;
    options.solver.factorization.num_threads = 1;
    if (num_tested % 4 == 3 && product.kept.size() > 1) {
      mapping.grid.order_per_side = 1;
      mapping.grid.block_size = 2;
    }
    this->expect_known(product, options);
    ++num_tested;
  }
}

}  // namespace
}  // namespace frond
