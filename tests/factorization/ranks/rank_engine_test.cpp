// SPDX-License-Identifier: BSD-3-Clause
// Tests ranks on virtual networks: exact factors for every order of events, the bits of one rank where fronts are not distributed,
// and a common end after any failure.
#include "factorization/ranks/rank_engine.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <random>

#include "factorization/kernels/cholesky.hpp"
#include "frond/error.hpp"
#include "tests/support/oracles/dense_determinant.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/ranks/drawn_run.hpp"
#include "tests/support/ranks/load_costs.hpp"

namespace frond::test {
namespace {

std::uint32_t fresh_seed() { return std::random_device{}(); }

template <Scalar S>
void expect_bits_of_one_rank(Method method, Index grid, Values values) {
  VirtualRunCounts counts;
  for (const Rank num_ranks : {1, 2, 3, 5, 8, 16}) {
    const RankProblem<S> problem(method, grid, values, Types::sequential, num_ranks);
    const FactorizationResult<S> expected = problem.run_on_one_rank();
    for (int trial = 0; trial < 4; ++trial) {
      const VirtualRun run{.seed = fresh_seed(), .buffer_bytes = trial % 2 == 0 ? Count{1} << 20 : Count{500}};
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", ranks " << num_ranks << ", seed "
                                        << run.seed);
      const VirtualRunResult<S> result = problem.run(run);
      ASSERT_FALSE(result.failure);
      EXPECT_TRUE(same_bits(problem.gather(result), *expected.factors));
      EXPECT_EQ(result.report.num_delayed_pivots, expected.report.num_delayed_pivots);
      EXPECT_EQ(result.report.inertia.negative, expected.report.inertia.negative);
      EXPECT_LT(relative_difference(result.report.determinant, expected.report.determinant), 1e-12);
      EXPECT_EQ(result.counts.messages > 0, num_ranks > 1);
      counts.messages += result.counts.messages;
      counts.refused_sends += result.counts.refused_sends;
    }
  }
  EXPECT_GT(counts.refused_sends, 0);
}

TEST(RankEngine, CholeskyHasTheBitsOfOneRank) { expect_bits_of_one_rank<double>(Method::cholesky, 9, Values::dominant); }

TEST(RankEngine, LdltAndLuHaveTheBitsOfOneRank) {
  for (const Method method : {Method::ldlt, Method::lu}) {
    expect_bits_of_one_rank<double>(method, 8, Values::dominant);
    expect_bits_of_one_rank<double>(method, 7, Values::zero_diagonal);
  }
  expect_bits_of_one_rank<std::complex<double>>(Method::lu, 7, Values::zero_diagonal);
}

constexpr LoadMechanism kMechanisms[] = {LoadMechanism::naive, LoadMechanism::increments, LoadMechanism::local_increments,
                                         LoadMechanism::snapshot, LoadMechanism::partial_snapshot};

template <Scalar S>
void expect_exact(Types types, Method method, Index grid, Values values) {
  VirtualRunCounts counts;
  for (const Rank num_ranks : {2, 3, 5, 8, 16}) {
    const RankProblem<S> problem(method, grid, values, types, num_ranks);
    EXPECT_EQ(problem.mapping.num_nodes_of(NodeType::grid_distributed), types == Types::grid ? 1 : 0);
    EXPECT_GT(problem.mapping.num_nodes_of(NodeType::row_distributed), 0);
    const FactorizationResult<S> expected = problem.run_on_one_rank();
    for (int trial = 0; trial < 8; ++trial) {
      VirtualRun run{.seed = fresh_seed(), .buffer_bytes = trial % 2 == 0 ? Count{1} << 20 : Count{500}};
      run.mechanism = kMechanisms[trial % 5];
      run.selection.schedule = trial < 4 ? Schedule::flops : Schedule::memory;
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", " << to_string(run.mechanism) << ", ranks "
                                        << num_ranks << ", seed " << run.seed);
      const VirtualRunResult<S> result = problem.run(run);
      ASSERT_FALSE(result.failure) << result.failure->text;
      const Factors<S> factors = problem.gather(result);
      const DenseOracle<S> oracle = multiply_out(factors);
      EXPECT_EQ(oracle.num_eliminated(), problem.a.num_rows);
      EXPECT_LT(oracle.error(permuted_matrix(factors, problem.a.view())), 1);
      if (method != Method::cholesky) {
        EXPECT_LE(oracle.largest_multiplier(), 100 * (1 + 100 * std::numeric_limits<RealOf<S>>::epsilon()));
      }
      EXPECT_EQ(result.report.inertia.negative, expected.report.inertia.negative);
      EXPECT_EQ(result.report.inertia.zero, expected.report.inertia.zero);
      EXPECT_LT(relative_difference(result.report.determinant, expected.report.determinant), 1e-6);
      EXPECT_EQ(result.counts.decisions, problem.mapping.num_nodes_of(NodeType::row_distributed));
      counts.slaves_chosen += result.counts.slaves_chosen;
      counts.refused_sends += result.counts.refused_sends;
    }
  }
  EXPECT_GT(counts.slaves_chosen, 0);
  EXPECT_GT(counts.refused_sends, 0);
}

TEST(RankEngine, IsExactOverRows) {
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    expect_exact<double>(Types::row_distributed, method, 7, Values::dominant);
  }
  for (const Method method : {Method::ldlt, Method::lu}) {
    expect_exact<double>(Types::row_distributed, method, 7, Values::zero_diagonal);
  }
  for (const Method method : {Method::ldlh, Method::lu}) {
    expect_exact<std::complex<double>>(Types::row_distributed, method, 7, Values::zero_diagonal);
  }
}

TEST(RankEngine, IsExactWithARootOnAGrid) {
  expect_exact<double>(Types::grid, Method::cholesky, 7, Values::dominant);
  expect_exact<std::complex<double>>(Types::grid, Method::cholesky, 5, Values::dominant);
  expect_exact<double>(Types::grid, Method::lu, 7, Values::dominant);
  expect_exact<double>(Types::grid, Method::lu, 7, Values::zero_diagonal);
  expect_exact<std::complex<double>>(Types::grid, Method::lu, 7, Values::zero_diagonal);
}

// Calls check(problem, counts) after runs with the mechanism on 2 to 16 ranks; returns the sum of its results.
template <class Check>
Count check_load_messages(LoadMechanism mechanism, Check check) {
  Count sum = 0;
  for (const Rank num_ranks : {2, 3, 5, 8, 16}) {
    const RankProblem<double> problem(Method::lu, 7, Values::dominant, Types::row_distributed, num_ranks);
    for (int trial = 0; trial < 4; ++trial) {
      VirtualRun run{.seed = fresh_seed(), .buffer_bytes = trial % 2 == 0 ? Count{1} << 20 : Count{500}};
      run.mechanism = mechanism;
      SCOPED_TRACE(::testing::Message() << "ranks " << num_ranks << ", seed " << run.seed);
      const VirtualRunResult<double> result = problem.run(run);
      EXPECT_FALSE(result.failure);
      EXPECT_GT(result.counts.decisions, 0);
      sum += check(problem, result.counts);
    }
  }
  return sum;
}

TEST(RankEngine, SnapshotsCostWhatIsPromised) {
  EXPECT_GT(check_load_messages(LoadMechanism::snapshot,
                                [](const auto& problem, const VirtualRunCounts& counts) {
                                  return expect_snapshots_cost(counts.load_messages, counts, problem.mapping);
                                }),
            0);
  EXPECT_GT(check_load_messages(LoadMechanism::partial_snapshot,
                                [](const auto& problem, const VirtualRunCounts& counts) {
                                  return expect_partial_snapshots_cost(counts.load_messages, counts, problem.mapping);
                                }),
            0);
}

// Every master announces once that it decides no more; until then it is informed of each choice, as slaves always are.
TEST(RankEngine, IncrementsTellChoicesToAllWhoDecide) {
  check_load_messages(LoadMechanism::increments, [](const auto& problem, const VirtualRunCounts& counts) {
    using Kind = LoadMessageKind;
    const LoadMessageCounts& sent = counts.load_messages;
    const Count num_others = problem.mapping.num_ranks() - 1;
    EXPECT_EQ(sent.num_messages(Kind::no_more_master), (num_others + 1) * num_others);
    EXPECT_GE(sent.num_messages(Kind::master_to_all), counts.slaves_chosen);
    EXPECT_LE(sent.num_messages(Kind::master_to_all), counts.decisions * num_others);
    EXPECT_EQ(sent.total_messages(),
              sent.num_messages(Kind::no_more_master) + sent.num_messages(Kind::master_to_all) + sent.num_messages(Kind::update));
    return Count{0};
  });
}

// Constant vectors span the null space of the matrix, and only the last pivot, which is the root's, is small.
TEST(RankEngine, ASingularRootOnAGridIsEliminatedByOneRank) {
  for (const Rank num_ranks : {2, 5, 8}) {
    const RankProblem<double> problem(Method::lu, singular_laplacian(Symmetry::general, 9, 9, 3), Types::grid, num_ranks);
    ASSERT_EQ(problem.mapping.num_nodes_of(NodeType::grid_distributed), 1);
    const VirtualRun run{.seed = fresh_seed()};
    SCOPED_TRACE(::testing::Message() << "ranks " << num_ranks << ", seed " << run.seed);
    const VirtualRunResult<double> result = problem.run(run);
    ASSERT_FALSE(result.failure) << result.failure->text;
    EXPECT_EQ(result.report.status, FactorizationStatus::singular);
    EXPECT_EQ(result.report.null_pivots.size(), 1U);
    EXPECT_EQ(result.report.determinant, Determinant(0));
    EXPECT_EQ(wrong_factors(problem, result), "");
    for (const RankFactors<double>& rank : result.factors) {
      EXPECT_FALSE(rank.root);
    }
  }
}

TEST(RankEngine, AFailureAnywhereEndsAllRanksWithTheSameError) {
  const RankProblem<double> problem(Method::ldlt, 8, Values::zero_diagonal, Types::row_distributed, 5);
  int num_failed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    VirtualRun run{.seed = fresh_seed(), .buffer_bytes = trial % 2 == 0 ? Count{1} << 20 : Count{500}};
    SCOPED_TRACE(::testing::Message() << "seed " << run.seed);
    std::mt19937 random(run.seed);
    const auto first = static_cast<Rank>(random() % 5);
    PlantedFailure failure(first, Phase::job, 1 + random() % 8);
    PlantedFailure second((first + 2) % 5, Phase::job, 1 + random() % 8);
    run.before = [&](Rank rank, Phase phase) {
      failure.before(rank, phase);
      second.before(rank, phase);
    };
    const VirtualRunResult<double> result = problem.run(run);
    if (result.failure) {
      ++num_failed;
      EXPECT_EQ(result.failure->kind, Failure::Kind::memory);
      EXPECT_TRUE(result.failure->origin == first || result.failure->origin == (first + 2) % 5);
      EXPECT_THROW(throw_failure(*result.failure), MemoryError);
    }
  }
  EXPECT_GT(num_failed, 20);
}

TEST(RankEngine, AMessageThatIsNoneEndsAllRanksWithTheSameError) {
  const RankProblem<double> problem(Method::lu, 8, Values::dominant, Types::row_distributed, 5);
  for (Rank victim = 0; victim < 5; ++victim) {
    VirtualRun run{.seed = fresh_seed()};
    SCOPED_TRACE(::testing::Message() << "rank " << victim << ", seed " << run.seed);
    int num_received = 0;
    run.is_garbled = [&](Rank rank) { return rank == victim && ++num_received == 1; };
    const VirtualRunResult<double> result = problem.run(run);
    ASSERT_EQ(num_received > 0, result.failure.has_value());
    if (result.failure) {
      EXPECT_EQ(result.failure->origin, victim);
      EXPECT_THROW(throw_failure(*result.failure), InternalError);
    }
  }
}

// The pivot of the last variable is on the grid, if there is one; the other is in a front of rows.
TEST(RankEngine, AllRanksNameThePivotThatIsNotPositive) {
  for (const Types types : {Types::grid, Types::row_distributed}) {
    RankProblem<double> problem(Method::cholesky, 7, Values::dominant, types, 5);
    const std::vector<Index>& perm = problem.symbolic->permutation().perm;
    const Index variable = types == Types::grid ? perm.back() : problem.a.num_cols - 1;
    problem.a.values[problem.a.column_offsets[static_cast<std::size_t>(variable)]] *= -1;
    const VirtualRunResult<double> result = problem.run({.seed = fresh_seed()});
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->kind, Failure::Kind::not_positive_definite);
    EXPECT_EQ(perm[result.failure->variable], variable);
    EXPECT_THROW(throw_failure(*result.failure), NotPositiveDefinite);
  }
}

}  // namespace
}  // namespace frond::test
