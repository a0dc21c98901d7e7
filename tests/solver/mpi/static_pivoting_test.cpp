// SPDX-License-Identifier: BSD-3-Clause
// Static pivoting on several ranks: no delays in any node type, levels that add up, accurate answers.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "tests/solver/mpi/spread_options.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::Flavour;

template <class S>
class StaticPivotingOnRanks : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 120;

  [[nodiscard]] DistributedOptions static_options() const {
    DistributedOptions options = testing::spread_with_grid(ranks_);
    options.solver.factorization.pivoting.kind = PivotingKind::static_structure;
    return options;
  }

  // The number of perturbed pivots.
  Count expect_solved_without_delays(const SparseMatrix<S>& matrix) {
    const SystemMatrix<S> system_matrix = matrix;
    const auto system =
        std::make_shared<const DistributedSystem<S>>(ranks_, ranks_.rank() == 0 ? &system_matrix : nullptr, static_options());
    DistributedFactorization<S> factorization(system);
    const FactorizationReport& report = factorization.report().factorization;
    EXPECT_EQ(report.num_delayed_pivots, 0);
    LevelCounts sum;
    for (const LevelCounts& level : report.levels) {
      sum += level;
    }
    EXPECT_EQ(sum.num_fronts, system->symbolic()->tree().num_nodes());
    EXPECT_EQ(sum.num_perturbed_pivots, report.num_perturbed_pivots);
    EXPECT_NEAR(sum.flops, report.flops, 1e-9 * report.flops);
    expect_solution(factorization, matrix);
    return report.num_perturbed_pivots;
  }

  void expect_solution(DistributedFactorization<S>& factorization, const SparseMatrix<S>& matrix) {
    const DenseMatrix<S> b = testing::random_dense<S>(kOrder, 1, 7);
    DenseMatrix<S> x(kOrder, 1);
    const SolveReport solved = factorization.solve(ranks_.rank() == 0 ? view_of(b) : DenseView<const S>{}, view_of(x),
                                                   Operation::plain, SolutionPlace::all_ranks);
    EXPECT_EQ(solved.verdict, Verdict::solved) << solved.describe();
    EXPECT_LE(testing::dense_componentwise_error(testing::dense(matrix), x, b), kComponentwiseAccuracy<S>) << solved.describe();
    EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), kComponentwiseAccuracy<S>) << solved.describe();
  }

  Communicator ranks_ = Communicator::world(test::mpi_gate());
};
TYPED_TEST_SUITE(StaticPivotingOnRanks, test::Scalars);

TYPED_TEST(StaticPivotingOnRanks, SolvesWithoutDelays) {
  using S = TypeParam;
  std::vector<Symmetry> symmetries = {Symmetry::general, Symmetry::symmetric};
  if (kIsComplex<S>) {
    symmetries.push_back(Symmetry::hermitian);
  }
  Count num_perturbed = 0;
  for (const Symmetry symmetry : symmetries) {
    for (const Flavour flavour : {Flavour::zero_diagonal, Flavour::graded}) {
      SCOPED_TRACE(::testing::Message() << "symmetry " << static_cast<int>(symmetry) << ", flavour " << static_cast<int>(flavour));
      num_perturbed += this->expect_solved_without_delays(testing::random_matrix<S>(this->kOrder, 3, symmetry, flavour, 4));
    }
  }
  EXPECT_GT(num_perturbed, 0);
}

}  // namespace
}  // namespace frond
