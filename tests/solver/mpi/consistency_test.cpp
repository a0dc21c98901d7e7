// SPDX-License-Identifier: BSD-3-Clause
// Whether singular systems have solutions, on several ranks, by systems of which that is known.
#include "solver/answers/consistency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "solver/mpi/distributed_factorization.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/sides_of_singular_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

template <class S>
class ConsistencyOnRanks : public ::testing::Test {
 protected:
  // Small systems are spread over the ranks, too. The report is the same on all.
  void expect_known(const testing::SidesOfSingularSystem<S>& sides) const {
    SCOPED_TRACE(sides.name);
    DistributedOptions options;
    options.solver.analysis.mapping.layer = {.tolerance = 0.01, .upper_node_seconds = 0};
    const SystemMatrix<S> matrix(sides.matrix);
    const bool is_first = ranks_.rank() == 0;
    DistributedFactorization<S> factorization(
        std::make_shared<const DistributedSystem<S>>(ranks_, is_first ? &matrix : nullptr, options));
    const Index n = sides.b.num_rows;
    const Index num_columns = sides.b.num_cols;
    DenseMatrix<S> x(n, num_columns);
    const SolveReport report =
        factorization.solve(is_first ? DenseView<const S>{sides.b.values.data(), n, num_columns, n} : DenseView<const S>{},
                            is_first ? DenseView<S>{x.values.data(), n, num_columns, n} : DenseView<S>{}, sides.operation);
    ASSERT_EQ(report.verdict, Verdict::singular);
    for (std::size_t j = 0; j < report.columns.size(); ++j) {
      EXPECT_EQ(report.columns[j].consistency_error <= report.target, sides.is_consistent[j])
          << "column " << j << ": " << report.columns[j].consistency_error;
    }
    EXPECT_EQ(report.num_met(), std::count(sides.is_consistent.begin(), sides.is_consistent.end(), true)) << report.describe();
  }

  Communicator ranks_ = Communicator::world(test::mpi_gate());
};
TYPED_TEST_SUITE(ConsistencyOnRanks, test::Scalars);

TYPED_TEST(ConsistencyOnRanks, IsKnownOfSmallSystems) {
  for (const auto& sides : testing::small_sides_of_singular_systems<TypeParam>()) {
    this->expect_known(sides);
  }
}

TYPED_TEST(ConsistencyOnRanks, DoesNotDependOnUnits) {
  for (const auto& sides : testing::all_sides_of_singular_systems<TypeParam>()) {
    this->expect_known(sides);
  }
}

}  // namespace
}  // namespace frond
