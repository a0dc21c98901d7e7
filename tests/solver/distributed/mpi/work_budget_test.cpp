// SPDX-License-Identifier: BSD-3-Clause
// Tests budgets over MPI: when one rank exceeds its budget, all ranks stop alike, and the channels serve the next factorization.
#include <gtest/gtest.h>

#include <optional>

#include "analysis/tree/front_cost.hpp"
#include "factorization/memory/work_budget.hpp"
#include "factorization/rank_factorize.hpp"
#include "factorization/scheduling/task_graph.hpp"
#include "loadinfo/messages/mpi/mpi_channel.hpp"
#include "solver/distributed/mpi/root_on_grid.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"

namespace frond {
namespace {

using testing::Flavour;

class BudgetOfRanksTest : public testing::OnRanks {
 protected:
  // Returns the BudgetError of work(), which must be the same on all ranks.
  template <class Work>
  [[nodiscard]] std::optional<BudgetError> common_error(Work work) const {
    std::optional<BudgetError> error;
    try {
      work();
    } catch (const BudgetError& thrown) {
      error = thrown;
    }
    expect_same_everywhere(error ? error->what() : "");
    return error;
  }
};

TEST_F(BudgetOfRanksTest, StopsAFactorizationOfTheLibrary) {
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
    const auto matrix = testing::random_matrix<double>(120, 4, symmetry, Flavour::zero_diagonal, 11);
    const auto course = [&] { return rank_course<double>(system_of<double>(matrix, testing::spread())); };
    const std::optional<BudgetError> error = common_error([&] { course()->factorize({.flops = 1000}); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->figures().budget_flops, 1000);
    const auto within = course();
    within->factorize({.flops = 1e12});
    EXPECT_EQ(within->report().factorization.status, FactorizationStatus::success);
  }
}

// Runs one factorization after another on the same channels, each with a larger budget; the last but one stops before a root on a
// grid, and the last does not stop.
TEST_F(BudgetOfRanksTest, LeavesTheChannelsToTheNextFactorization) {
  for (const SolverOptions& options : {testing::spread(), testing::spread_with_grid(ranks_)}) {
    const SparseMatrix<double> matrix = testing::laplacian<double>(7);
    const auto system = system_of<double>(matrix, options);
    const Method method = Method::cholesky;
    const Mapping mapping = system->mapping(method);
    MpiChannel main_messages(ranks_.duplicate(), 1 << 20);
    MpiChannel control(ranks_.duplicate(), 1 << 16);
    MpiChannel load(ranks_.duplicate(), 1 << 16);
    CountedChannel main(main_messages);
    const RankChannels channels{main, control, load, ranks_.gate().threads_may_call()};
    const auto run = [&](double flops) {
      RankFactorizationOptions how;
      how.num_threads = 1 + ranks_.rank() % 2;
      how.budget.flops = flops;
      RankFactorization<double> factorization({system->symbolic(), mapping, method, system->analysed().values}, how, channels);
      const auto result = factorization.run(
          make_root_solver<double>(ranks_, system->symbolic()->tree(), mapping, method, factorization.null_pivot()));
      EXPECT_EQ(result.report.status, FactorizationStatus::success);
    };
    const AssemblyTree& tree = system->symbolic()->tree();
    const double flops_of_root = front_cost(tree, tree.num_nodes() - 1, method).flops;
    for (const double flops : {100.0, flops_of_root / 8, flops_of_root - 1}) {
      const std::optional<BudgetError> error = common_error([&] { run(flops); });
      ASSERT_TRUE(error);
      EXPECT_EQ(error->figures().budget_flops, flops);
      EXPECT_GT(error->figures().needed_flops, flops);
    }
    EXPECT_FALSE(common_error([&] { run(TaskGraph(tree, method, sizeof(double)).total_flops()); }));
  }
}

}  // namespace
}  // namespace frond
