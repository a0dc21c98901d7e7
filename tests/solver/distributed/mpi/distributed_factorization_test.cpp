// SPDX-License-Identifier: BSD-3-Clause
// Tests what only several ranks have: load exchanges and their messages, options of the first rank, errors of one rank.

#include <gtest/gtest.h>

#include <cmath>

#include "factorization/ranks/main_message.hpp"
#include "frond/error.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/expect_solves.hpp"
#include "tests/support/ranks/load_costs.hpp"

namespace frond {
namespace {

class DistributedFactorizationTest : public testing::OnRanks {
 protected:
  // Spreads even small systems over the ranks.
  [[nodiscard]] static SolverOptions spreading_options() { return testing::spread_by_nodes(); }

  [[nodiscard]] SolverOptions grid_options() const { return testing::with_grid(spreading_options(), ranks_); }

  [[nodiscard]] static RankRunCounts total_of(const Factorization<double>& factorization) {
    RankRunCounts total;
    for (const RankRunCounts& counts : rank_backend_of(factorization).rank_counts()) {
      total += counts;
    }
    return total;
  }
};

TEST_F(DistributedFactorizationTest, NotesThatNoThreadCarriesLoads) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(7);
  const auto factorization = factorize<double>(matrix, spreading_options());
  EXPECT_EQ(factorization.report().notes.size(), test::mpi_gate()->threads_may_call() ? 0U : 1U);
  EXPECT_EQ(static_cast<Rank>(rank_backend_of(factorization).rank_counts().size()), ranks_.num_ranks());
}

TEST_F(DistributedFactorizationTest, SolvesWithEveryMechanismAndWithoutALoadThread) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(6);
  for (const LoadMechanism mechanism : {LoadMechanism::naive, LoadMechanism::increments, LoadMechanism::local_increments,
                                        LoadMechanism::snapshot, LoadMechanism::partial_snapshot}) {
    for (const bool use_thread : {true, false}) {
      SolverOptions options = spreading_options();
      options.ranks.load_exchange = mechanism;
      options.ranks.use_load_thread = use_thread;
      options.factorization.num_threads = use_thread ? 2 : 1;
      testing::expect_solves(factorize<double>(matrix, options), matrix);
    }
  }
}

TEST_F(DistributedFactorizationTest, SnapshotsCostWhatIsPromised) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(9);
  for (const LoadMechanism mechanism : {LoadMechanism::snapshot, LoadMechanism::partial_snapshot}) {
    for (const bool use_thread : {true, false}) {
      SCOPED_TRACE(use_thread);
      SolverOptions options = spreading_options();
      options.analysis.mapping.min_slave_rows = 1;
      options.analysis.mapping.min_front_flops = 0;
      options.ranks.load_exchange = mechanism;
      options.ranks.use_load_thread = use_thread;
      const auto factorization = factorize<double>(matrix, options);
      const Mapping& mapping = rank_backend_of(factorization).mapping();
      const RankRunCounts total = total_of(factorization);
      EXPECT_EQ(total.engine.decisions, mapping.num_nodes_of(NodeType::row_distributed));
      EXPECT_EQ(total.engine.decisions > 0, ranks_.num_ranks() > 1);
      EXPECT_EQ(total.load_sent.total_messages(), total.load_received);
      const auto expect_cost =
          mechanism == LoadMechanism::snapshot ? test::expect_snapshots_cost : test::expect_partial_snapshots_cost;
      (void)expect_cost(total.load_sent, total.engine, mapping);
    }
  }
}

// Messages of the attempt by Cholesky, which ends with failure messages, do not count.
TEST_F(DistributedFactorizationTest, CountsTheMessagesOfTheLastFactorization) {
  SparseMatrix<double> matrix = testing::laplacian<double>(5);
  matrix.values.front() = 1e-3;
  const auto factorization = factorize<double>(matrix, spreading_options());
  EXPECT_EQ(factorization.report().method, Method::ldlt);
  const RankRunCounts total = total_of(factorization);
  EXPECT_EQ(total.main.sent, total.main.received);
  EXPECT_EQ(total.main.sent.messages > 0, ranks_.num_ranks() > 1);
  EXPECT_EQ(total.main.sent_by_kind[kEndMessages.failure], MessageCounts());
}

TEST_F(DistributedFactorizationTest, KeepsTheSolutionOnRank0) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(5);
  auto factorization = factorize<double>(matrix, spreading_options());
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 70, 3);  // more than one block
  DenseMatrix<double> x(matrix.num_rows, 70);
  const SolveReport report = is_first() ? factorization.solve(view_of(b), view_of(x))
                                        : factorization.solve(DenseView<const double>(), DenseView<double>());
  EXPECT_EQ(report.columns.size(), 70U);
  if (is_first()) {
    EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), 1e-13);
  }
}

TEST_F(DistributedFactorizationTest, OptionsOfSolvesAreThoseOfTheFirstRank) {
  SolverOptions options = grid_options();
  options.error_bounds = ErrorBounds::never;
  const SparseMatrix<double> matrix = testing::laplacian<double>(6);
  const Index order = is_first() ? matrix.num_rows : 0;
  auto factorization = factorize<double>(matrix, options);
  const DenseMatrix<double> b = testing::random_dense<double>(order, 2, 3);
  DenseMatrix<double> x(order, 2);
  for (const ColumnReport& column : factorization.solve(view_of(b), view_of(x)).columns) {
    EXPECT_TRUE(std::isnan(column.forward_error_bound));
  }
  factorization.set_solve_options({}, is_first() ? ErrorBounds::all_columns : ErrorBounds::never);
  const SolveReport report = factorization.solve(view_of(b), view_of(x));
  EXPECT_EQ(report.verdict, Verdict::solved);
  for (const ColumnReport& column : report.columns) {
    EXPECT_GT(column.forward_error_bound, 0);
  }
}

TEST_F(DistributedFactorizationTest, LackOfMemoryOnOneRankIsTheSameErrorOnAll) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(8);
  for (Rank victim = 0; victim < ranks_.num_ranks(); ++victim) {
    SolverOptions options = grid_options();
    options.factorization.memory_limit = ranks_.rank() == victim ? 1000 : Count{1} << 30;
    const auto system = system_of<double>(matrix, options);
    const auto error = testing::error_of<MemoryError>([&] { const auto factorization = factorize_on_ranks<double>(system); });
    EXPECT_EQ(std::string(error.what()).substr(0, 8), "rank " + std::to_string(victim) + ": ");
    EXPECT_EQ(error.limit_bytes(), 1000);
  }
}

}  // namespace
}  // namespace frond
