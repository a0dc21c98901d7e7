// SPDX-License-Identifier: BSD-3-Clause
// Tests systems of every kind on several ranks against one process: reports, answers, verdicts, errors.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "factorization/ranks/main_message.hpp"
#include "frond/error.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/oracles/dense_determinant.hpp"

namespace frond {
namespace {

using testing::Flavour;

class DistributedFactorizationTest : public testing::OnRanks {
 protected:
  // Spreads even small systems over the ranks.
  [[nodiscard]] static SolverOptions spreading_options() {
    SolverOptions options = testing::spread_by_nodes();
    options.error_bounds = ErrorBounds::all_columns;
    return options;
  }

  [[nodiscard]] SolverOptions grid_options() const { return testing::with_grid(spreading_options(), ranks_); }

  template <class S>
  void expect_like_one_process(const SparseMatrix<S>& matrix, const SolverOptions& options) {
    auto factorization = factorize<S>(matrix, options);
    SolverOptions same_order = options;
    const Symbolic& symbolic = rank_backend_of(factorization).symbolic();
    same_order.analysis.ordering = {
        .kind = OrderingKind::given, .perm = symbolic.permutation().perm, .row_of_column = symbolic.row_of_column()};
    same_order.factorization.num_threads = 1;
    const Factorization<S> one(analyze(matrix, same_order), matrix);
    const FactorizationReport& report = factorization.report().factorization;
    EXPECT_EQ(factorization.report().method, one.report().method);
    const std::size_t notes_on_threads = test::mpi_gate()->threads_may_call() ? 0 : 1;
    EXPECT_EQ(factorization.report().notes.size(), one.report().notes.size() + notes_on_threads);
    EXPECT_EQ(report.status, one.report().factorization.status);
    EXPECT_EQ(report.inertia.negative, one.report().factorization.inertia.negative);
    EXPECT_EQ(report.inertia.zero, one.report().factorization.inertia.zero);
    EXPECT_LT(test::relative_difference(report.determinant, one.report().factorization.determinant),
              options.mixed_precision ? 1e-3 : 1e-8);
    EXPECT_EQ(static_cast<Rank>(rank_backend_of(factorization).rank_counts().size()), ranks_.num_ranks());
    for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
      expect_solution(factorization, one, matrix, operation);
    }
  }

  template <class S>
  void expect_solution(Factorization<S>& factorization, const Factorization<S>& one, const SparseMatrix<S>& matrix,
                       Operation operation) {
    const Index n = matrix.num_rows;
    const DenseMatrix<S> b = testing::random_dense<S>(n, 3, 7);
    DenseMatrix<S> x(n, 3);
    const SolveReport report = factorization.solve(is_first() ? view_of(b) : DenseView<const S>{}, view_of(x), operation);
    EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
    ASSERT_EQ(report.columns.size(), 3U);
    DenseMatrix<S> x_of_one(n, 3);
    const SolveReport report_of_one = one.solve(view_of(b), view_of(x_of_one), operation);
    EXPECT_LT(std::abs(std::log2(report.condition / report_of_one.condition)), 1);
    for (std::size_t j = 0; j < 3; ++j) {  // the last bits decide where the estimator looks
      EXPECT_LT(std::abs(std::log2(report.columns[j].forward_error_bound / report_of_one.columns[j].forward_error_bound)), 2);
    }
    EXPECT_LE(testing::dense_componentwise_error(testing::dense(matrix, operation), x, b), kComponentwiseAccuracy<S>);
  }

  [[nodiscard]] static RankRunCounts total_of(const Factorization<double>& factorization) {
    RankRunCounts total;
    for (const RankRunCounts& counts : rank_backend_of(factorization).rank_counts()) {
      total += counts;
    }
    return total;
  }

  // Returns the counts summed over all ranks, and the number of candidates without the masters.
  [[nodiscard]] std::pair<RankRunCounts, Count> run_with_many_decisions(LoadMechanism mechanism, bool use_thread) const {
    const SparseMatrix<double> matrix = testing::laplacian<double>(9);
    SolverOptions options = spreading_options();
    options.analysis.mapping.min_slave_rows = 1;
    options.analysis.mapping.min_front_flops = 0;
    options.ranks.load_exchange = mechanism;
    options.ranks.use_load_thread = use_thread;
    const auto factorization = factorize<double>(matrix, options);
    const RankRunCounts total = total_of(factorization);
    Count num_candidates = 0;
    for (const UpperNode& node : rank_backend_of(factorization).mapping().upper_nodes()) {
      num_candidates += node.type == NodeType::row_distributed ? node.candidates.size() - 1 : 0;
    }
    EXPECT_EQ(total.engine.decisions, rank_backend_of(factorization).mapping().num_nodes_of(NodeType::row_distributed));
    EXPECT_EQ(total.engine.decisions > 0, ranks_.num_ranks() > 1);
    EXPECT_EQ(total.load_sent.total_messages(), total.load_received);
    return {total, num_candidates};
  }
};

TEST_F(DistributedFactorizationTest, SolvesEveryKindLikeOneProcess) {
  const SolverOptions options = spreading_options();
  expect_like_one_process<double>(testing::laplacian<double>(7), options);
  using C = std::complex<double>;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian}) {
    SCOPED_TRACE(static_cast<int>(symmetry));
    const bool is_skew = symmetry == Symmetry::skew_symmetric;
    const Flavour flavour = is_skew ? Flavour::graded : Flavour::zero_diagonal;
    const auto real = testing::random_matrix<double>(120, 4, symmetry, flavour, 11);
    expect_like_one_process<double>(real, options);
    const auto complex_matrix = testing::random_matrix<C>(90, 4, symmetry, flavour, 12);
    expect_like_one_process<C>(complex_matrix, options);
  }
}

TEST_F(DistributedFactorizationTest, SolvesWithMatchings) {
  for (SolverOptions options : {spreading_options(), grid_options()}) {
    options.analysis.ordering.matching = Use::always;
    using C = std::complex<double>;
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian}) {
      SCOPED_TRACE(static_cast<int>(symmetry));
      const auto matrix = testing::random_matrix<C>(90, 4, symmetry, Flavour::zero_diagonal, 12);
      expect_like_one_process<C>(matrix, options);
      const auto factorization = factorize<C>(matrix, options);
      const bool has_rows = symmetry == Symmetry::general || symmetry == Symmetry::skew_symmetric;
      EXPECT_EQ(rank_backend_of(factorization).symbolic().ordering().matching, has_rows ? MatchingKind::rows : MatchingKind::pairs);
    }
  }
}

TEST_F(DistributedFactorizationTest, SolvesWithARootOnAGrid) {
  SolverOptions options = grid_options();
  using C = std::complex<double>;
  const auto real = testing::random_matrix<double>(120, 4, Symmetry::general, Flavour::zero_diagonal, 11);
  const auto complex_matrix = testing::random_matrix<C>(90, 4, Symmetry::general, Flavour::zero_diagonal, 12);
  for (const int num_threads : {1, 2}) {
    options.factorization.num_threads = num_threads;
    expect_like_one_process<double>(testing::laplacian<double>(7), options);
    expect_like_one_process<double>(real, options);
    expect_like_one_process<C>(complex_matrix, options);
  }
  const auto factorization = factorize<double>(real, options);
  const bool has_grid = ranks_.num_ranks() > 1 && ranks_.gate().threads_may_call();
  EXPECT_EQ(rank_backend_of(factorization).mapping().num_nodes_of(NodeType::grid_distributed), has_grid ? 1 : 0);
}

TEST_F(DistributedFactorizationTest, SolvesInMixedPrecision) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const bool has_grid : {false, true}) {
      SolverOptions options = has_grid ? grid_options() : spreading_options();
      options.mixed_precision = true;
      const auto matrix = testing::random_matrix<std::complex<double>>(80, 3, symmetry, Flavour::dominant, 4);
      expect_like_one_process<std::complex<double>>(matrix, options);
      auto factorization = factorize<std::complex<double>>(matrix, options);
      EXPECT_TRUE(factorization.report().is_mixed);
    }
  }
}

// The matrix is indefinite, with a positive diagonal.
TEST_F(DistributedFactorizationTest, TriesLdltInMixedPrecisionWhereCholeskyFails) {
  SolverOptions options = spreading_options();
  options.mixed_precision = true;
  SparseMatrix<double> matrix = testing::laplacian<double>(6);
  std::transform(matrix.values.begin(), matrix.values.end(), matrix.values.begin(),
                 [](double value) { return value > 0 ? value - 1.3 : value; });
  expect_like_one_process<double>(matrix, options);
  const auto factorization = factorize<double>(matrix, options);
  EXPECT_TRUE(factorization.report().is_mixed);
  EXPECT_EQ(factorization.report().method, Method::ldlt);
}

TEST_F(DistributedFactorizationTest, GoesBackToDoubleWhereRefinementFails) {
  SolverOptions options = spreading_options();
  options.ranks.use_load_thread = false;  // a thread would cause a note where MPI allows none
  options.mixed_precision = true;
  options.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  const SparseMatrix<double> matrix = testing::laplacian<double>(6);
  auto factorization = factorize<double>(matrix, options);
  ASSERT_TRUE(factorization.report().is_mixed);
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 2, 7);
  DenseMatrix<double> x(matrix.num_rows, 2);
  const Factorization<double> alone(analyze(matrix, options), matrix);
  DenseMatrix<double> x_alone(matrix.num_rows, 2);
  for (int repetition = 0; repetition < 2; ++repetition) {
    const SolveReport report =
        factorization.solve(is_first() ? view_of(b) : DenseView<const double>{}, view_of(x), Operation::plain);
    EXPECT_EQ(report.verdict, Verdict::solved);
    EXPECT_FALSE(factorization.report().is_mixed);
    EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), 1e-14);
    EXPECT_EQ(report.notes, alone.solve(view_of(b), view_of(x_alone)).notes);
    EXPECT_EQ(factorization.report().is_mixed, alone.report().is_mixed);
    EXPECT_EQ(factorization.report().notes, alone.report().notes);
  }
  factorization.set_solve_options({.max_steps = 2, .target = 1e-30}, ErrorBounds::never);
  EXPECT_GT(factorization.solve(view_of(b), view_of(x)).worst().refinement_steps, 0) << "the factors in double precision refine";
}

// The factors in single precision are gone by then: no solve may treat that as a verdict.
TEST_F(DistributedFactorizationTest, LacksMemoryForDoubleInEverySolve) {
  SolverOptions options = testing::spread_by_nodes();
  options.factorization.num_threads = 1;
  const SparseMatrix<double> matrix = testing::laplacian<double>(10);
  const auto in_full = factorize<double>(matrix, options);
  Count peak_bytes = 0;  // the largest of all ranks: a second run may choose other slaves
  for (const auto& counts : rank_backend_of(in_full).rank_counts()) {
    peak_bytes = std::max(peak_bytes, counts.peak_bytes);
  }
  options.mixed_precision = true;
  options.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  options.factorization.memory_limit = peak_bytes * 3 / 4;
  auto factorization = factorize<double>(matrix, options);
  ASSERT_TRUE(factorization.report().is_mixed);
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 1, 7);
  DenseMatrix<double> x(matrix.num_rows, 1);
  for (int repetition = 0; repetition < 2; ++repetition) {
    EXPECT_THROW((void)factorization.solve(view_of(b), view_of(x)), MemoryError);
  }
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
      auto factorization = factorize<double>(matrix, options);
      expect_solution<double>(factorization, Factorization<double>(analyze(matrix, options), matrix), matrix, Operation::plain);
    }
  }
}

// A decision costs 3 (P - 1) messages, plus one reservation per slave and the answers wasted on requests that were overtaken.
TEST_F(DistributedFactorizationTest, SnapshotsCostWhatIsPromised) {
  const Count num_others = ranks_.num_ranks() - 1;
  for (const bool use_thread : {true, false}) {
    SCOPED_TRACE(use_thread);
    const RankRunCounts total = run_with_many_decisions(LoadMechanism::snapshot, use_thread).first;
    const LoadMessageCounts& sent = total.load_sent;
    const Count num_wasted = sent.num_messages(LoadMessageKind::answer) - total.engine.decisions * num_others;
    EXPECT_EQ(sent.num_messages(LoadMessageKind::start), total.engine.decisions * num_others);
    EXPECT_EQ(sent.num_messages(LoadMessageKind::end), total.engine.decisions * num_others);
    EXPECT_EQ(sent.num_messages(LoadMessageKind::reservation), total.engine.slaves_chosen);
    EXPECT_EQ(sent.total_messages(), 3 * num_others * total.engine.decisions + total.engine.slaves_chosen + num_wasted);
    EXPECT_GE(num_wasted, 0);
    EXPECT_LE(num_wasted, total.engine.decisions * num_others * (num_others - 1) / 2);
  }
}

// A decision costs 3 messages per candidate, plus one reservation per slave, and per revocation three messages, or one if it comes
// too late.
TEST_F(DistributedFactorizationTest, PartialSnapshotsCostWhatIsPromised) {
  for (const bool use_thread : {true, false}) {
    SCOPED_TRACE(use_thread);
    const auto [total, num_candidates] = run_with_many_decisions(LoadMechanism::partial_snapshot, use_thread);
    const LoadMessageCounts& sent = total.load_sent;
    const Count num_yields = sent.num_messages(LoadMessageKind::yield);
    EXPECT_EQ(sent.num_messages(LoadMessageKind::start), num_candidates);
    EXPECT_EQ(sent.num_messages(LoadMessageKind::end), num_candidates);
    EXPECT_EQ(sent.num_messages(LoadMessageKind::answer), num_candidates + num_yields);
    EXPECT_EQ(sent.num_messages(LoadMessageKind::reservation), total.engine.slaves_chosen);
    EXPECT_LE(num_yields, sent.num_messages(LoadMessageKind::revoke));
    EXPECT_LE(sent.num_messages(LoadMessageKind::revoke), num_candidates);
    EXPECT_EQ(sent.total_messages(),
              3 * num_candidates + total.engine.slaves_chosen + sent.num_messages(LoadMessageKind::revoke) + 2 * num_yields);
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

TEST_F(DistributedFactorizationTest, FallsBackFromCholesky) {
  SparseMatrix<double> matrix = testing::laplacian<double>(5);
  for (Index j = 0; j < matrix.num_cols; ++j) {
    matrix.values[static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j)])] = 1.37;
  }
  expect_like_one_process<double>(matrix, spreading_options());
  expect_like_one_process<double>(matrix, grid_options());
}

TEST_F(DistributedFactorizationTest, WarnsOfALargeConditionNumber) {
  SolverOptions options = grid_options();
  options.error_bounds = ErrorBounds::never;
  const SparseMatrix<double> hilbert = testing::hilbert_matrix(10);
  auto factorization = factorize<double>(hilbert, options);
  const DenseMatrix<double> b = testing::random_dense<double>(10, 1, 3);
  DenseMatrix<double> x(10, 1);
  const SolveReport report = factorization.solve(view_of(b), view_of(x));
  EXPECT_NE(report.describe().find("is ill-conditioned"), std::string::npos) << report.describe();
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
