// SPDX-License-Identifier: BSD-3-Clause
// Tests that all ranks hold the same analysis, made with the options of rank 0.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "factorization/machine/memory_bounds.hpp"
#include "factorization/memory/memory_limit.hpp"
#include "frond/error.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"

namespace frond {
namespace {

using DistributedSystemTest = testing::OnRanks;

TEST_F(DistributedSystemTest, TakesMatrixAndOptionsOfRank0) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(8);
  SolverOptions options;
  if (is_first()) {
    options.method = Method::ldlt;
    options.refinement.max_steps = 3;
    options.refinement.target = 1e-14;
    options.ranks.load_exchange = LoadMechanism::snapshot;
    options.ranks.schedule = Schedule::memory;
    options.analysis.mapping.grid_ranks = {0};
  }
  const auto system = system_of<double>(matrix, options);
  EXPECT_EQ(system->method(), Method::ldlt);
  EXPECT_EQ(system->options().method, Method::ldlt);
  EXPECT_EQ(system->options().refinement.max_steps, 3);
  EXPECT_EQ(system->options().refinement.target, 1e-14);
  EXPECT_EQ(system->options().ranks.load_exchange, LoadMechanism::snapshot);
  EXPECT_EQ(system->options().ranks.schedule, Schedule::memory);
  EXPECT_EQ(system->options().analysis.mapping.grid_ranks, std::vector<Rank>{0});
  EXPECT_EQ(system->matrix().stored.values.size(), matrix.values.size());
  EXPECT_EQ(system->mapping(system->method()).num_ranks(), ranks_.num_ranks());
  EXPECT_NE(system->symbolic()->ordering().kind, OrderingKind::given);
  for (const Index variable : all_gather_values(ranks_, system->symbolic()->permutation().perm[17])) {
    EXPECT_EQ(variable, system->symbolic()->permutation().perm[17]);
  }
}

// All ranks use the scales of rank 0, unless rows were matched afterwards.
TEST_F(DistributedSystemTest, SharesTheScalesOfTheAnalysis) {
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
    const SparseMatrix<double> matrix = testing::random_matrix<double>(90, 3, symmetry, testing::Flavour::dominant, 1);
    SolverOptions options;
    options.method = symmetry == Symmetry::general ? Method::lu : Method::ldlt;
    const auto system = system_of<double>(matrix, options);
    ASSERT_EQ(system->symbolic()->ordering().matching == MatchingKind::rows, false);
    ASSERT_TRUE(system->known_scales().found().contains(ScalingKind::automatic));
    FoundScales known = system->known_scales();
    const Scaling<double> scaling = known.of_kind(system->analysed(), {});
    const Scaling<double> expected = find_scaling(matrix.view(), {});
    EXPECT_EQ(scaling.rows, expected.rows);
    EXPECT_EQ(scaling.cols, expected.cols);
    EXPECT_EQ(scaling.kind, expected.kind);
    EXPECT_EQ(scaling.num_sweeps, expected.num_sweeps);
  }
  const SparseMatrix<double> matched = testing::random_matrix<double>(90, 3, Symmetry::general, testing::Flavour::zero_diagonal, 1);
  SolverOptions options;
  options.analysis.ordering.matching = Use::always;
  const auto system = system_of<double>(matched, options);
  EXPECT_EQ(system->symbolic()->ordering().matching, MatchingKind::rows);
  EXPECT_TRUE(system->known_scales().found().empty());
}

TEST_F(DistributedSystemTest, TakesTripletsOfAllRanks) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(4);
  Triplets<double> mine{.num_rows = matrix.num_rows, .num_cols = matrix.num_cols, .symmetry = matrix.symmetry};
  testing::for_each_entry(matrix, [&](Index i, Index j, double value) {
    if (j % ranks_.num_ranks() == ranks_.rank()) {
      mine.add(i, j, value);
    }
  });
  const Factorization<double> factorization(mine, {}, place_);
  const MatrixView<double> whole = rank_backend_of(factorization).matrix().stored;
  EXPECT_EQ(whole.pattern.num_entries(), matrix.pattern().num_entries());
  EXPECT_TRUE(std::equal(whole.values.begin(), whole.values.end(), matrix.values.begin()));
  mine.num_cols += ranks_.rank() == ranks_.num_ranks() - 1 ? 1 : 0;
  EXPECT_THROW(Factorization<double>(mine, {}, place_), UsageError);
}

TEST_F(DistributedSystemTest, WantsTheWatchdogToHaveAVoiceOnEveryRank) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(4);
  SolverOptions options;
  options.ranks.watchdog_seconds = ranks_.rank() == ranks_.num_ranks() - 1 ? 1 : 0;
  EXPECT_THROW((void)system_of<double>(matrix, options), UsageError);
}

TEST_F(DistributedSystemTest, FillsInThreadsAndGrid) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(4);
  const auto system = system_of<double>(matrix);
  EXPECT_GE(system->options().factorization.num_threads, 1);
  ASSERT_FALSE(system->options().analysis.mapping.grid_ranks.empty());
  EXPECT_EQ(system->options().analysis.mapping.grid_ranks.front(), 0);
}

TEST_F(DistributedSystemTest, DividesTheMemoryThatRanksShare) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(12);
  const auto system = system_of<double>(matrix);
  const std::vector<MemoryBound> bounds = memory_bounds();
  const auto machine =
      std::find_if(bounds.begin(), bounds.end(), [](const MemoryBound& bound) { return bound.holder == "the machine"; });
  ASSERT_NE(machine, bounds.end());
  const FactorizationOptions& mine = system->options().factorization;
  const std::vector<Count> limits = all_gather_values(ranks_, mine.memory_limit);
  EXPECT_GE(*std::min_element(limits.begin(), limits.end()), kLeastShareBytes);
  // Without division the sum would be many times the available memory; the margin allows for other programs in the meantime.
  EXPECT_LE(std::accumulate(limits.begin(), limits.end(), Count{0}), machine->bytes / 2 * 3);
  EXPECT_EQ(system->largest_memory_limit(), *std::max_element(limits.begin(), limits.end()));
  EXPECT_EQ(mine.memory_limit_reason.find("this process's share of") == 0, ranks_.num_ranks() > 1) << mine.memory_limit_reason;
}

TEST_F(DistributedSystemTest, FindsALimitAnewThatWasFoundBefore) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(4);
  SolverOptions options;
  options.factorization.memory_limit = 1000;
  options.factorization.memory_limit_reason = "the machine, some time ago";
  const auto system = system_of<double>(matrix, options);
  EXPECT_GT(system->options().factorization.memory_limit, 1000);
  EXPECT_NE(system->options().factorization.memory_limit_reason, "the machine, some time ago");
}

TEST_F(DistributedSystemTest, LeavesEachRankTheLimitThatItWants) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(4);
  SolverOptions options;
  const bool is_last = ranks_.rank() == ranks_.num_ranks() - 1;
  options.factorization.memory_limit = is_last ? 0 : 12345678;
  const auto system = system_of<double>(matrix, options);
  const FactorizationOptions& mine = system->options().factorization;
  EXPECT_EQ(mine.memory_limit_reason.empty(), !is_last);
  EXPECT_EQ(mine.memory_limit == 12345678, !is_last);
  EXPECT_GT(system->largest_memory_limit(), 12345678);
}

TEST_F(DistributedSystemTest, TakesPrecisionAndBoundsOfRank0) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(5);
  SolverOptions options;
  options.mixed_precision = is_first();
  options.error_bounds = is_first() ? ErrorBounds::all_columns : ErrorBounds::never;
  auto factorization = factorize<double>(matrix, options);
  EXPECT_TRUE(factorization.report().is_mixed);
  DenseMatrix<double> b(is_first() ? matrix.num_rows : 0, 1);
  std::fill(b.values.begin(), b.values.end(), 1.0);
  DenseMatrix<double> x = b;
  const SolveReport report = factorization.solve(view_of(std::as_const(b)), view_of(x));
  EXPECT_EQ(report.verdict, Verdict::solved);
  EXPECT_TRUE(report.condition > 1);
}

TEST_F(DistributedSystemTest, RefusesThresholdsOutOfRange) {
  const SparseMatrix<double> matrix = testing::random_matrix<double>(20, 4, Symmetry::general, testing::Flavour::dominant, 1);
  for (const double threshold : {-0.1, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
    SolverOptions options;
    options.factorization.pivoting.pivot_threshold = threshold;
    EXPECT_THROW((void)factorize<double>(matrix, options), UsageError);
  }
}

TEST_F(DistributedSystemTest, RefusesOnAllRanksWhatRank0CannotUse) {
  SparseMatrix<double> matrix = testing::laplacian<double>(4);
  matrix.values[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)system_of<double>(matrix), UsageError);
  EXPECT_THROW(DistributedSystem<double>(ranks_, nullptr), UsageError);
  matrix.values[5] = 1;
  SolverOptions options;
  options.analysis.ordering = {.kind = OrderingKind::given, .perm = {0, 0}};
  EXPECT_THROW((void)system_of<double>(matrix, options), UsageError);
}

}  // namespace
}  // namespace frond
