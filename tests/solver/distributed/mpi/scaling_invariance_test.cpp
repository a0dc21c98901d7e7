// SPDX-License-Identifier: BSD-3-Clause
// Tests systems whose rows and columns are scaled apart by powers of 2, on several ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>

#include "frond/factorization.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/scaled_apart.hpp"
#include "tests/support/matrices/subnormal_system.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::Flavour;

template <class S>
class ScalingInvarianceOnRanks : public ::testing::Test {
 protected:
  static constexpr int kLargestExponent = std::is_same_v<RealOf<S>, double> ? 490 : 48;

  // Spreads even small systems over the ranks.
  [[nodiscard]] static SolverOptions spreading_options(ScalingKind kind) {
    SolverOptions options;
    options.analysis.mapping.layer.upper_node_seconds = 0;
    options.analysis.mapping.layer.tolerance = 0.01;
    options.error_bounds = ErrorBounds::all_columns;
    options.scaling.kind = kind;
    return options;
  }

  // Compares the answers of one process for the system in natural units with those of all ranks for the system scaled apart.
  void expect_same_answers(const SparseMatrix<S>& matrix, ScalingKind kind) {
    const auto scaled = testing::scaled_apart(matrix, kLargestExponent, 5);
    SolverOptions options = spreading_options(kind);
    const Factorization<S> one(analyze(matrix, options), matrix);
    options.error_bounds = ErrorBounds::first_column;  // computed here as well, but the bounds of one process are used
    const SystemMatrix<S> apart(scaled.matrix);
    auto factorization =
        factorize_on_ranks<S>(std::make_shared<const DistributedSystem<S>>(ranks_, ranks_.rank() == 0 ? &apart : nullptr, options));
    EXPECT_EQ(factorization.report().factorization.status, one.report().factorization.status);
    EXPECT_EQ(factorization.report().scaling, one.report().scaling);
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 2, 9);
    const Index ld = matrix.num_rows;
    DenseMatrix<S> x(matrix.num_rows, 2);
    const SolveReport report = one.solve({b.values.data(), b.num_rows, 2, ld}, {x.values.data(), x.num_rows, 2, ld});
    const DenseMatrix<S> scaled_b = testing::scaled_rows(b, scaled.row_exponents);
    DenseMatrix<S> scaled_x(matrix.num_rows, 2);
    const SolveReport report_of_ranks = factorization.solve({scaled_b.values.data(), b.num_rows, 2, ld},
                                                            {scaled_x.values.data(), x.num_rows, 2, ld}, Operation::plain);
    EXPECT_EQ(report_of_ranks.verdict, Verdict::solved) << report_of_ranks.describe();
    scaled_x = testing::scaled_rows(std::move(scaled_x), scaled.col_exponents);
    double difference = 0;
    double size = 0;
    for (std::size_t k = 0; k < x.values.size(); ++k) {
      difference = std::max(difference, static_cast<double>(std::abs(x.values[k] - scaled_x.values[k])));
      size = std::max(size, static_cast<double>(std::abs(x.values[k])));
    }
    EXPECT_LE(difference, 4 * report.worst().forward_error_bound * size) << report_of_ranks.describe();
  }

  Communicator ranks_ = mpi_world(test::mpi_gate());
};

constexpr ScalingKind kKinds[] = {ScalingKind::automatic, ScalingKind::equilibrate, ScalingKind::matching};

TYPED_TEST_SUITE(ScalingInvarianceOnRanks, test::Scalars);

TYPED_TEST(ScalingInvarianceOnRanks, HoldsForGeneralMatrices) {
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
    for (const ScalingKind kind : kKinds) {
      SCOPED_TRACE(::testing::Message() << "flavour " << static_cast<int>(flavour) << ", " << to_string(kind));
      this->expect_same_answers(testing::random_matrix<TypeParam>(120, 3, Symmetry::general, flavour, 6), kind);
    }
  }
}

TYPED_TEST(ScalingInvarianceOnRanks, HoldsForSymmetricMatrices) {
  for (const ScalingKind kind : kKinds) {
    SCOPED_TRACE(to_string(kind));
    this->expect_same_answers(testing::random_matrix<TypeParam>(120, 3, Symmetry::symmetric, Flavour::zero_diagonal, 6), kind);
  }
}

TYPED_TEST(ScalingInvarianceOnRanks, HoldsForSubnormalEntries) {
  using S = TypeParam;
  for (const auto& [symmetry, all_rows] :
       {std::pair(Symmetry::general, false), std::pair(Symmetry::general, true), std::pair(Symmetry::symmetric, true)}) {
    SCOPED_TRACE(::testing::Message() << "symmetry " << static_cast<int>(symmetry) << (all_rows ? ", all rows" : ", some rows"));
    const auto system = testing::subnormal_system<S>(20, symmetry, all_rows);
    const SystemMatrix<S> matrix(system.matrix);
    auto factorization = factorize_on_ranks<S>(std::make_shared<const DistributedSystem<S>>(
        this->ranks_, this->ranks_.rank() == 0 ? &matrix : nullptr, this->spreading_options(ScalingKind::automatic)));
    EXPECT_EQ(factorization.report().factorization.status, FactorizationStatus::success);
    const Index n = system.x.num_rows;
    DenseMatrix<S> x(n, 1);
    const SolveReport report = factorization.solve({system.b.values.data(), n, 1, n}, {x.values.data(), n, 1, n}, Operation::plain);
    EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
    EXPECT_LE(testing::error_in_ulps(system, x), 100);
  }
}

}  // namespace
}  // namespace frond
