// SPDX-License-Identifier: BSD-3-Clause
// Static pivoting on several ranks: no delays in any node type, levels that add up, accurate answers.
#include <gtest/gtest.h>

#include "loadinfo/mpi/collective.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "tests/mpi/mpi_test.hpp"
#include "tests/solver/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;

DistributedOptions spread_static(Rank num_ranks) {
  DistributedOptions options;
  MappingOptions& mapping = options.solver.analysis.mapping;
  mapping.layer = {.tolerance = 0.01, .upper_node_seconds = 0};
  mapping.rows = {.min_slave_rows = 1, .min_front_flops = 0};
  mapping.grid.order_per_side = 1;
  mapping.grid.block_size = 8;
  if (num_ranks > 1) {
    mapping.grid.ranks = {0, 1};
  }
  options.solver.factorization.num_threads = 1;
  options.solver.factorization.pivoting.kind = PivotingKind::static_structure;
  return options;
}

TEST(StaticPivotingOnRanks, SolvesWithoutDelays) {
  const Communicator ranks = Communicator::world(test::mpi_gate());
  using S = std::complex<double>;
  Count num_perturbed = 0;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Flavour flavour : {Flavour::zero_diagonal, Flavour::graded}) {
      SCOPED_TRACE(::testing::Message() << "symmetry " << static_cast<int>(symmetry) << ", flavour " << static_cast<int>(flavour));
      const SparseMatrix<S> matrix = testing::random_matrix<S>(120, 3, symmetry, flavour, 4);
      const SystemMatrix<S> system_matrix = matrix;
      const auto system = std::make_shared<const DistributedSystem<S>>(ranks, ranks.rank() == 0 ? &system_matrix : nullptr,
                                                                       spread_static(ranks.num_ranks()));
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
      num_perturbed += report.num_perturbed_pivots;
      const DenseMatrix<S> b = testing::random_dense<S>(120, 1, 7);
      DenseMatrix<S> x(120, 1);
      const SolveReport solved =
          factorization.solve(ranks.rank() == 0 ? DenseView<const S>{b.values.data(), 120, 1, 120} : DenseView<const S>{},
                              {x.values.data(), 120, 1, 120}, Operation::plain, SolutionPlace::all_ranks);
      EXPECT_EQ(solved.verdict, Verdict::solved) << solved.describe();
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), 1e-14);
    }
  }
  EXPECT_GT(num_perturbed, 0);
}

}  // namespace
}  // namespace frond
