// SPDX-License-Identifier: BSD-3-Clause
// Tests solves over virtual ranks: they must give the answers of one process for every order of events, and any failure must end
// all ranks.
#include "solver/distributed/ranks/rank_solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "factorization/kernels/blas_threads.hpp"
#include "frond/error.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/owned_sides.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/rank_problem.hpp"
#include "tests/support/ranks/solve_problem.hpp"
#include "tests/support/ranks/virtual_programs.hpp"
#include "tests/support/ranks/virtual_ranks.hpp"

namespace frond::testing {
namespace {

using test::Values;

struct RankSolveCounts {
  Count messages = 0;
  Count refused_sends = 0;
  Index num_masters_shares = 0;
  Index num_others_shares = 0;
  Index num_travelling_delays = 0;
};

template <Scalar S>
class RankSolveRun {
 public:
  // Solves so that all ranks get the answer.
  RankSolveRun(const std::vector<RankSystem<S>>& systems, Operation operation, const DenseMatrix<S>& b, Count buffer_bytes,
               const test::ProgramRun& run, SweepPart part = SweepPart::whole, std::span<const Index> wanted = {})
      : RankSolveRun(systems, operation, sides_on_rank_0(b, static_cast<Rank>(systems.size()), true), buffer_bytes, run, part,
                     wanted) {}

  RankSolveRun(const std::vector<RankSystem<S>>& systems, Operation operation, std::vector<OwnedSides<S>> sides, Count buffer_bytes,
               const test::ProgramRun& run, SweepPart part = SweepPart::whole, std::span<const Index> wanted = {})
      : network_(static_cast<Rank>(systems.size()), 1, buffer_bytes, run.seed), sides_(std::move(sides)) {
    const BlasThreadsGuard guard;
    std::vector<MessageProgram*> pointers;
    for (std::size_t rank = 0; rank < systems.size(); ++rank) {
      programs_.push_back(std::make_unique<RankSolve<S>>(
          systems[rank], Sweep<S>{.operation = operation, .part = part, .wanted = rank == 0 ? wanted : std::span<const Index>()},
          sides_[rank].view(), network_.channel(0, static_cast<Rank>(rank))));
      pointers.push_back(programs_.back().get());
    }
    num_messages_ = test::run_programs(network_, pointers, run);
    for (const auto& program : programs_) {
      EXPECT_EQ(program->failure(), failure());
    }
  }

  [[nodiscard]] const DenseMatrix<S>& solution(std::size_t rank) const { return sides_[rank].x; }
  [[nodiscard]] const std::vector<OwnedSides<S>>& sides() const { return sides_; }
  [[nodiscard]] const std::optional<Failure>& failure() const { return programs_[0]->failure(); }
  [[nodiscard]] Count num_messages() const { return num_messages_; }
  [[nodiscard]] Count num_refused() const { return network_.num_refused(); }

 private:
  test::VirtualNetwork network_;
  std::vector<OwnedSides<S>> sides_;
  std::vector<std::unique_ptr<RankSolve<S>>> programs_;
  Count num_messages_ = 0;
};

// Returns the largest backward error of the columns.
template <Scalar S>
double backward_error(const SparseMatrix<S>& a, Operation operation, const DenseMatrix<S>& x, const DenseMatrix<S>& b) {
  const BackwardErrorMeter<S> meter(a.view(), operation);
  std::vector<S> residual(static_cast<std::size_t>(b.num_rows));
  double largest = 0;
  for (Index j = 0; j < b.num_cols; ++j) {
    largest = std::max(largest, meter.measure(b.column(j), x.column(j), residual).normwise_backward_error);
  }
  return largest;
}

// Solves in one process and on the ranks. Without shared fronts, every sum has the same order, so all numbers must be equal.
template <Scalar S>
void expect_answer_of_one_process(const RankProblem<S>& problem, double share_probability, Operation operation, Index num_rhs,
                                  RankSolveCounts& counts) {
  const std::uint32_t seed = std::random_device{}();
  std::mt19937 random(seed);
  const bool is_tight = random() % 2 == 0;
  SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(problem.factors->method()) << ", operation "
                                    << static_cast<int>(operation) << ", ranks " << problem.mapping.num_ranks()
                                    << ", right-hand sides " << num_rhs << ", shares " << share_probability << ", seed " << seed);
  const Mapping mapping =
      random() % 2 == 0 ? problem.mapping : scattered_mapping(problem.symbolic->tree(), problem.mapping.num_ranks(), random);
  const CutFactors<S> cut = cut_factors(*problem.factors, mapping, share_probability, random);
  const DenseMatrix<S> b = random_dense<S>(problem.a.num_rows, num_rhs, seed);
  const RankSolveRun<S> run(problem.systems(mapping, cut), operation, b, is_tight ? 300 : Count{1} << 20, {.seed = seed});
  ASSERT_FALSE(run.failure());
  DenseMatrix<S> expected = b;
  problem.solve(operation, view_of(expected));
  const DenseMatrix<S>& x = run.solution(0);
  if (cut.num_shared == 0) {
    EXPECT_EQ(x.values, expected.values);
  } else {
    const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
    EXPECT_LE(backward_error(problem.a, operation, x, b), 10 * backward_error(problem.a, operation, expected, b) + 100 * eps);
  }
  for (std::size_t rank = 1; rank < cut.ranks.size(); ++rank) {
    EXPECT_EQ(run.solution(rank).values, x.values) << "rank " << rank;
  }
  counts.messages += run.num_messages();
  counts.refused_sends += run.num_refused();
  counts.num_masters_shares += cut.num_masters_shares;
  counts.num_others_shares += cut.num_others_shares;
  counts.num_travelling_delays += cut.num_travelling_delays;
}

template <Scalar S>
void expect_answers(Method method, Index grid, Values values, RankSolveCounts& counts) {
  const SparseMatrix<S> a = test::grid_matrix<S>(symmetry_for(method, kIsComplex<S>), grid, grid, grid, values, 3);
  for (const Rank num_ranks : {1, 2, 3, 5, 8}) {
    const RankProblem<S> problem(method, a, num_ranks);
    for (const Operation operation : test::kOperations) {
      for (const double share_probability : {0.0, 0.6}) {
        expect_answer_of_one_process(problem, share_probability, operation, 3, counts);
      }
    }
    expect_answer_of_one_process(problem, 0.6, Operation::plain, 1, counts);
    expect_answer_of_one_process(problem, 0.6, Operation::adjoint, 70, counts);
  }
}

template <class S>
class RankSolveOf : public ::testing::Test {};
TYPED_TEST_SUITE(RankSolveOf, test::Scalars);

TYPED_TEST(RankSolveOf, HasTheAnswerOfOneProcess) {
  RankSolveCounts counts;
  expect_answers<TypeParam>(Method::cholesky, 6, Values::dominant, counts);
  expect_answers<TypeParam>(Method::ldlt, 5, Values::random, counts);
  expect_answers<TypeParam>(Method::lu, 5, Values::random, counts);
  if constexpr (kIsComplex<TypeParam>) {
    expect_answers<TypeParam>(Method::ldlh, 5, Values::random, counts);
  }
  EXPECT_GT(counts.messages, 0);
  EXPECT_GT(counts.refused_sends, 0);
  EXPECT_GT(counts.num_masters_shares, 0);
  EXPECT_GT(counts.num_others_shares, 0);
}

TYPED_TEST(RankSolveOf, SendsDelayedVariablesAlong) {
  RankSolveCounts counts;
  expect_answers<TypeParam>(Method::ldlt, 5, Values::zero_diagonal, counts);
  EXPECT_GT(counts.num_travelling_delays, 0);
  counts = {};
  expect_answers<TypeParam>(Method::lu, 5, Values::zero_diagonal, counts);
  EXPECT_GT(counts.num_travelling_delays, 0);
}

// Compares every part of the factors on the ranks with the same part in one process.
template <Scalar S>
void expect_parts(Method method, Values values, bool is_sparse) {
  const SparseMatrix<S> a = test::grid_matrix<S>(symmetry_for(method, kIsComplex<S>), 5, 5, 5, values, 3);
  for (const Rank num_ranks : {1, 2, 5}) {
    const RankProblem<S> problem(method, a, num_ranks);
    const SolvePlan plan(problem.symbolic->tree());
    const std::uint32_t seed = std::random_device{}();
    std::mt19937 random(seed);
    const Mapping mapping = scattered_mapping(problem.symbolic->tree(), num_ranks, random);
    DenseMatrix<S> b = random_dense<S>(a.num_rows, 3, seed);
    if (is_sparse) {
      std::fill(b.values.begin(), b.values.end(), S(0));
      b(static_cast<Index>(random() % 125), 1) = S(1);
    }
    for (const double share_probability : {0.0, 0.6}) {
      const CutFactors<S> cut = cut_factors(*problem.factors, mapping, share_probability, random);
      for (const Operation operation : test::kOperations) {
        for (const SweepPart part : {SweepPart::whole, SweepPart::first, SweepPart::diagonal, SweepPart::second}) {
          SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", part " << static_cast<int>(part)
                                            << ", operation " << static_cast<int>(operation) << ", ranks " << num_ranks
                                            << ", shares " << share_probability << ", seed " << seed);
          const RankSolveRun<S> run(problem.systems(mapping, cut), operation, b, 300, {.seed = seed}, part);
          ASSERT_FALSE(run.failure());
          DenseMatrix<S> expected = b;
          solve_with_factors<S>(*problem.factors, plan, {operation, view_of(expected), part}, 1);
          const DenseMatrix<S>& x = run.solution(0);
          if (cut.num_shared == 0) {
            EXPECT_EQ(x.values, expected.values);
          }
          double size = 0;
          double difference = 0;
          for (std::size_t k = 0; k < expected.values.size(); ++k) {
            size = std::max(size, static_cast<double>(std::abs(expected.values[k])));
            difference = std::max(difference, static_cast<double>(std::abs(x.values[k] - expected.values[k])));
          }
          EXPECT_LE(difference, (values == Values::dominant ? 1e3 : 1e7) * std::numeric_limits<RealOf<S>>::epsilon() * size);
        }
      }
    }
  }
}

TYPED_TEST(RankSolveOf, SolvesWithParts) {
  for (const bool is_sparse : {false, true}) {
    expect_parts<TypeParam>(Method::cholesky, Values::dominant, is_sparse);
    expect_parts<TypeParam>(Method::ldlt, Values::zero_diagonal, is_sparse);
    expect_parts<TypeParam>(Method::lu, Values::zero_diagonal, is_sparse);
    if constexpr (kIsComplex<TypeParam>) {
      expect_parts<TypeParam>(Method::ldlh, Values::zero_diagonal, is_sparse);
    }
  }
}

// Expects the same bits in the requested rows, with fewer messages.
template <Scalar S>
void expect_wanted_rows(Method method, Values values, Rank num_ranks) {
  const SparseMatrix<S> a = test::grid_matrix<S>(symmetry_for(method, kIsComplex<S>), 5, 5, 5, values, 3);
  const RankProblem<S> problem(method, a, num_ranks);
  const std::uint32_t seed = std::random_device{}();
  std::mt19937 random(seed);
  const Mapping mapping = scattered_mapping(problem.symbolic->tree(), num_ranks, random);
  const DenseMatrix<S> b = random_dense<S>(a.num_rows, 70, seed);  // two blocks
  const std::vector<Index> wanted = {static_cast<Index>(random() % 125), static_cast<Index>(random() % 125)};
  for (const double share_probability : {0.0, 0.6}) {
    const CutFactors<S> cut = cut_factors(*problem.factors, mapping, share_probability, random);
    for (const Operation operation : test::kOperations) {
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", operation " << static_cast<int>(operation)
                                        << ", ranks " << num_ranks << ", shares " << share_probability << ", seed " << seed);
      const RankSolveRun<S> all(problem.systems(mapping, cut), operation, b, 300, {.seed = seed});
      const RankSolveRun<S> some(problem.systems(mapping, cut), operation, b, 300, {.seed = seed}, SweepPart::whole, wanted);
      ASSERT_FALSE(all.failure() || some.failure());
      for (const Index row : wanted) {
        for (Index j = 0; j < b.num_cols; ++j) {
          EXPECT_EQ(some.solution(0)(row, j), all.solution(0)(row, j)) << "row " << row << ", column " << j;
        }
      }
      if (num_ranks > 1) {
        EXPECT_LT(some.num_messages(), all.num_messages());
      }
    }
  }
}

TYPED_TEST(RankSolveOf, VisitsWhatLeadsToWantedRows) {
  for (const Rank num_ranks : {1, 2, 5}) {
    expect_wanted_rows<TypeParam>(Method::cholesky, Values::dominant, num_ranks);
    expect_wanted_rows<TypeParam>(Method::ldlt, Values::zero_diagonal, num_ranks);
    expect_wanted_rows<TypeParam>(Method::lu, Values::zero_diagonal, num_ranks);
    if constexpr (kIsComplex<TypeParam>) {
      expect_wanted_rows<TypeParam>(Method::ldlh, Values::zero_diagonal, num_ranks);
    }
  }
}

// In this ordering, nothing in the first half can be eliminated where it is fully summed.
TEST(RankSolve, SendsDelayedVariablesFar) {
  RankSolveCounts counts;
  for (const Method method : {Method::ldlt, Method::lu}) {
    const SparseMatrix<double> a = test::saddle_matrix<double>(symmetry_for(method, false), 40, 5);
    for (const Rank num_ranks : {2, 3, 8}) {
      const RankProblem<double> problem(method, a, num_ranks, OrderingKind::natural);
      for (const Operation operation : test::kOperations) {
        expect_answer_of_one_process(problem, 0, operation, 2, counts);
        expect_answer_of_one_process(problem, 0.5, operation, 2, counts);
      }
    }
  }
  EXPECT_GT(counts.num_travelling_delays, 0);
}

// Solves with factors that the ranks have computed together, with slaves chosen at run time, optionally with a root on a grid. Adds
// the number of slaves to num_slaves.
template <Scalar S>
void expect_solution_by_ranks(Method method, Values values, Rank num_ranks, bool is_on_grid, Count& num_slaves) {
  const SparseMatrix<S> a = test::grid_matrix<S>(symmetry_for(method, kIsComplex<S>), 6, 6, 6, values, 4);
  AnalysisOptions options;
  options.method = method;
  options.mapping = test::spread_over(num_ranks, is_on_grid ? test::Types::grid : test::Types::row_distributed, 0.01, 4);
  const std::shared_ptr<const Symbolic> symbolic = analyze(a.pattern(), options);
  const Mapping mapping = map_tree(symbolic->tree(), method, options.mapping);
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", ranks " << num_ranks << ", seed " << seed);
  EXPECT_EQ(mapping.num_nodes_of(NodeType::grid_distributed), is_on_grid ? 1 : 0);
  const auto factorized = test::factorize_on_virtual_ranks<S>(symbolic, method, a, mapping, {.seed = seed});
  ASSERT_FALSE(factorized.failure);
  num_slaves += factorized.counts.slaves_chosen;
  std::vector<RankSystem<S>> systems;
  for (const RankFactors<S>& part : factorized.factors) {
    systems.push_back({*symbolic, mapping, method, part, {}, {}});
  }
  const DenseMatrix<S> b = random_dense<S>(a.num_rows, 3, seed);
  for (const Operation operation : test::kOperations) {
    const Count buffer_bytes = seed % 2 == 0 ? 300 : 1 << 20;
    const RankSolveRun<S> run(systems, operation, b, buffer_bytes, {.seed = seed});
    EXPECT_LE(backward_error(a, operation, run.solution(1), b), 1e-12);
    DenseMatrix<S> x = b;
    for (const SweepPart part : {SweepPart::first, SweepPart::diagonal, SweepPart::second}) {
      x = RankSolveRun<S>(systems, operation, x, buffer_bytes, {.seed = seed}, part).solution(0);
    }
    EXPECT_LE(backward_error(a, operation, x, b), 1e-12) << "by parts";
  }
}

TEST(RankSolve, SolvesWithFactorsThatRanksHaveMade) {
  std::array<Count, 2> num_slaves{};  // without and with a root on a grid
  for (const Rank num_ranks : {2, 3, 5}) {
    for (const bool is_on_grid : {false, true}) {
      Count& num = num_slaves[is_on_grid ? 1 : 0];
      expect_solution_by_ranks<double>(Method::cholesky, Values::dominant, num_ranks, is_on_grid, num);
      expect_solution_by_ranks<double>(Method::lu, Values::zero_diagonal, num_ranks, is_on_grid, num);
      expect_solution_by_ranks<std::complex<double>>(Method::cholesky, Values::dominant, num_ranks, is_on_grid, num);
      expect_solution_by_ranks<std::complex<double>>(Method::lu, Values::zero_diagonal, num_ranks, is_on_grid, num);
    }
    expect_solution_by_ranks<double>(Method::ldlt, Values::zero_diagonal, num_ranks, false, num_slaves[0]);
    expect_solution_by_ranks<std::complex<double>>(Method::ldlh, Values::zero_diagonal, num_ranks, false, num_slaves[0]);
  }
  EXPECT_GT(num_slaves[0], 0);
}

TEST(RankSolve, LeavesOutEquationsWithoutAPivot) {
  for (const Method method : {Method::ldlt, Method::lu}) {
    const RankProblem<double> problem(method, test::singular_laplacian(symmetry_for(method, false), 9, 9, 3), 3);
    const DenseMatrix<double> b = random_dense<double>(81, 2, 1);
    for (const Operation operation : test::kOperations) {
      const std::uint32_t seed = std::random_device{}();
      SCOPED_TRACE(seed);
      std::mt19937 random(seed);
      const CutFactors<double> cut = cut_factors(*problem.factors, problem.mapping, 0.5, random);
      const RankSolveRun<double> run(problem.systems(problem.mapping, cut), operation, b, 300, {.seed = seed});
      DenseMatrix<double> expected = b;
      problem.solve(operation, view_of(expected));
      EXPECT_GT(std::count(expected.values.begin(), expected.values.end(), 0.0), 0);
      for (std::size_t i = 0; i < expected.values.size(); ++i) {
        EXPECT_NEAR(run.solution(2).values[i], expected.values[i], 1e-10);
      }
    }
  }
}

TEST(RankSolve, SolvesForests) {
  RankSolveCounts counts;
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    const SparseMatrix<double> a = test::uncoupled_grids(symmetry_for(method, false), std::vector<Index>{5, 1, 4, 2, 1}, 7);
    for (const Rank num_ranks : {1, 2, 5}) {
      const RankProblem<double> problem(method, a, num_ranks);
      expect_answer_of_one_process(problem, 0, Operation::plain, 3, counts);
      expect_answer_of_one_process(problem, 0.7, Operation::transposed, 3, counts);
    }
  }
}

TEST(RankSolve, SolvesOrdersZeroAndOne) {
  RankSolveCounts counts;
  for (const Index order : {0, 1}) {
    const SparseMatrix<double> a = test::grid_matrix<double>(Symmetry::symmetric, order, order, order, Values::dominant, 1);
    for (const Rank num_ranks : {1, 3}) {
      const RankProblem<double> problem(Method::cholesky, a, num_ranks);
      expect_answer_of_one_process(problem, 0, Operation::plain, 2, counts);
      expect_answer_of_one_process(problem, 0, Operation::plain, 0, counts);
    }
  }
}

// Solves for scattered rows, and for B on rank 0, and expects identical bits.
template <Scalar S>
void expect_rows_of_the_answer(const RankProblem<S>& problem, Operation operation, Index num_rhs) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << problem.mapping.num_ranks() << " ranks, seed " << seed);
  std::mt19937 random(seed);
  const CutFactors<S> cut = cut_factors(*problem.factors, problem.mapping, 0.5, random);
  DenseMatrix<S> b = random_dense<S>(problem.a.num_rows, num_rhs, seed);
  std::vector<OwnedSides<S>> scattered = scattered_sides(b, problem.mapping.num_ranks(), random);
  const std::vector<RankSystem<S>> systems = problem.systems(problem.mapping, cut);
  const RankSolveRun<S> whole(systems, operation, sides_on_rank_0(b, problem.mapping.num_ranks(), false), 1 << 20, {.seed = seed});
  const RankSolveRun<S> run(systems, operation, std::move(scattered), seed % 2 == 0 ? 300 : 1 << 20, {.seed = seed});
  for (const OwnedSides<S>& side : run.sides()) {
    EXPECT_EQ(side.x.values, side.rows_asked_for(whole.solution(0)).values);
  }
}

TYPED_TEST(RankSolveOf, TakesAndGivesRowsAnywhere) {
  using S = TypeParam;
  const SparseMatrix<S> a = test::grid_matrix<S>(Symmetry::general, 4, 4, 4, Values::random, 3);
  for (const Rank num_ranks : {1, 2, 3, 8}) {
    const RankProblem<S> problem(Method::lu, a, num_ranks);
    for (const Operation operation : test::kOperations) {
      expect_rows_of_the_answer(problem, operation, 3);
    }
    expect_rows_of_the_answer(problem, Operation::plain, 70);
  }
}

class RankSolveFailure : public ::testing::Test {
 protected:
  RankSolveFailure()
      : problem_(Method::lu, test::grid_matrix<double>(Symmetry::general, 5, 5, 5, Values::zero_diagonal, 1), 5),
        b_(random_dense<double>(problem_.a.num_rows, 2, 1)) {
    std::mt19937 random(std::random_device{}());
    cut_ = cut_factors(*problem_.factors, problem_.mapping, 0.5, random);
  }

  [[nodiscard]] RankSolveRun<double> run(const test::ProgramRun& run) const {
    return {problem_.systems(problem_.mapping, cut_), Operation::plain, b_, run.seed % 2 == 0 ? 300 : 1 << 20, run};
  }

  RankProblem<double> problem_;
  DenseMatrix<double> b_;
  CutFactors<double> cut_;
};

TEST_F(RankSolveFailure, AnywhereEndsAllRanksWithTheSameError) {
  int num_failed = 0;
  for (int trial = 0; trial < 100; ++trial) {
    test::ProgramRun drawn{.seed = std::random_device{}()};
    SCOPED_TRACE(drawn.seed);
    std::mt19937 random(drawn.seed);
    drawn.before_event = [&](Rank) {
      if (random() % 60 == 0) {
        throw MemoryError("planted", 123, 45);
      }
    };
    const RankSolveRun<double> result = run(drawn);
    if (result.failure()) {
      ++num_failed;
      EXPECT_THROW(throw_failure(*result.failure()), MemoryError);
    }
  }
  EXPECT_GT(num_failed, 20);
}

TEST_F(RankSolveFailure, OfAMessageThatIsNoneEndsAllRanksWithTheSameError) {
  for (Rank victim = 0; victim < 5; ++victim) {
    test::ProgramRun drawn{.seed = std::random_device{}()};
    SCOPED_TRACE(::testing::Message() << "rank " << victim << ", seed " << drawn.seed);
    int num_received = 0;
    drawn.is_garbled = [&](Rank rank) { return rank == victim && ++num_received == 2; };
    const RankSolveRun<double> result = run(drawn);
    ASSERT_TRUE(result.failure());
    EXPECT_EQ(result.failure()->origin, victim);
    EXPECT_THROW(throw_failure(*result.failure()), InternalError);
  }
}

}  // namespace
}  // namespace frond::testing
