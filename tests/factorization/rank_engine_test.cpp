// SPDX-License-Identifier: BSD-3-Clause
// Ranks that do whole fronts: the bits of one rank for every order of events, and a common end whatever fails.
#include "factorization/rank_engine.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <stdexcept>

#include "factorization/kernels/cholesky.hpp"
#include "matrices/error.hpp"
#include "tests/factorization/sparse_problems.hpp"
#include "tests/factorization/virtual_ranks.hpp"

namespace frond::test {
namespace {

std::uint32_t fresh_seed() { return std::random_device{}(); }

template <Scalar S>
struct RankProblem {
  RankProblem(Method problem_method, Index grid, Values values, Rank num_ranks) : method(problem_method) {
    const Symmetry symmetry = method == Method::lu ? Symmetry::general : Symmetry::symmetric;
    a = grid_matrix<S>(symmetry, grid, grid, grid, values, 1);
    AnalysisOptions options;
    options.method = method;
    options.mapping.num_ranks = num_ranks;
    options.mapping.layer.upper_node_seconds = 0;  // small problems are spread, too
    options.mapping.layer.tolerance = 0.01;
    symbolic = analyze(a.pattern(), options);
    mapping = map_tree(symbolic->tree(), method, options.mapping);
  }

  [[nodiscard]] VirtualRunResult<S> run(const VirtualRun& run) const {
    return factorize_on_virtual_ranks<S>(symbolic, method, a, mapping, run);
  }
  [[nodiscard]] FactorizationResult<S> run_on_one_rank() const {
    FactorizationOptions options;
    options.num_threads = 1;
    return factorize<S>(symbolic, method, a.values, {}, {}, options);
  }

  Method method;
  SparseMatrix<S> a;
  std::shared_ptr<const Symbolic> symbolic;
  Mapping mapping;
};

template <Scalar S>
void expect_bits_of_one_rank(Method method, Index grid, Values values) {
  VirtualRunCounts counts;
  for (const Rank num_ranks : {1, 2, 3, 5, 8, 16}) {
    const RankProblem<S> problem(method, grid, values, num_ranks);
    const FactorizationResult<S> expected = problem.run_on_one_rank();
    for (int trial = 0; trial < 4; ++trial) {
      const VirtualRun run{.seed = fresh_seed(), .buffer_bytes = trial % 2 == 0 ? Count{1} << 20 : Count{500}};
      SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method) << ", ranks " << num_ranks << ", seed " << run.seed);
      const VirtualRunResult<S> result = problem.run(run);
      ASSERT_TRUE(result.factors);
      EXPECT_TRUE(same_bits(*result.factors, *expected.factors));
      EXPECT_EQ(result.report.num_delayed_pivots, expected.report.num_delayed_pivots);
      EXPECT_EQ(result.report.inertia.negative, expected.report.inertia.negative);
      EXPECT_EQ(result.counts.messages > 0, num_ranks > 1);
      counts.messages += result.counts.messages;
      counts.refused_sends += result.counts.refused_sends;
    }
  }
  EXPECT_GT(counts.refused_sends, 0);
}

TEST(RankEngine, CholeskyHasTheBitsOfOneRank) { expect_bits_of_one_rank<double>(Method::cholesky, 9, Values::dominant); }

TEST(RankEngine, LdltHasTheBitsOfOneRank) {
  expect_bits_of_one_rank<double>(Method::ldlt, 9, Values::dominant);
  expect_bits_of_one_rank<double>(Method::ldlt, 7, Values::zero_diagonal);
}

TEST(RankEngine, LuHasTheBitsOfOneRank) {
  expect_bits_of_one_rank<double>(Method::lu, 8, Values::dominant);
  expect_bits_of_one_rank<double>(Method::lu, 7, Values::zero_diagonal);
  expect_bits_of_one_rank<std::complex<double>>(Method::lu, 7, Values::zero_diagonal);
}

// The n-th job of a rank throws.
class Saboteur {
 public:
  Saboteur(Rank rank, int job) : rank_(rank), jobs_left_(job) {}

  void operator()(Rank rank) {
    if (rank == rank_ && --jobs_left_ == 0) {
      throw MemoryError("planted", 123, 45);
    }
  }

 private:
  Rank rank_;
  int jobs_left_;
};

TEST(RankEngine, AFailureAnywhereEndsAllRanksWithTheSameError) {
  const RankProblem<double> problem(Method::ldlt, 8, Values::zero_diagonal, 5);
  int num_failed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    VirtualRun run{.seed = fresh_seed(), .buffer_bytes = trial % 2 == 0 ? Count{1} << 20 : Count{500}};
    SCOPED_TRACE(testing::Message() << "seed " << run.seed);
    std::mt19937 random(run.seed);
    const auto first = static_cast<Rank>(random() % 5);
    Saboteur saboteur(first, 1 + static_cast<int>(random() % 8));
    Saboteur second((first + 2) % 5, 1 + static_cast<int>(random() % 8));
    run.before_job = [&](Rank rank) {
      saboteur(rank);
      second(rank);
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
  const RankProblem<double> problem(Method::lu, 8, Values::dominant, 5);
  for (Rank victim = 0; victim < 5; ++victim) {
    VirtualRun run{.seed = fresh_seed()};
    SCOPED_TRACE(testing::Message() << "rank " << victim << ", seed " << run.seed);
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

TEST(RankEngine, AllRanksNameThePivotThatIsNotPositive) {
  RankProblem<double> problem(Method::cholesky, 8, Values::dominant, 4);
  const Index last = problem.a.num_cols - 1;
  problem.a.values[static_cast<std::size_t>(problem.a.column_offsets[static_cast<std::size_t>(last)])] *= -1;
  const VirtualRunResult<double> result = problem.run({.seed = fresh_seed()});
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->kind, Failure::Kind::not_positive_definite);
  EXPECT_EQ(problem.symbolic->permutation().perm[static_cast<std::size_t>(result.failure->variable)], last);
  EXPECT_THROW(throw_failure(*result.failure), NotPositiveDefinite);
}

}  // namespace
}  // namespace frond::test
