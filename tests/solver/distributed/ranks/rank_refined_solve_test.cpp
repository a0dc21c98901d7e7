// SPDX-License-Identifier: BSD-3-Clause
// Tests refinement over virtual ranks, with slightly perturbed factors.
#include "solver/distributed/ranks/rank_refined_solve.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "factorization/kernels/blas_threads.hpp"
#include "solver/distributed/ranks/column_part.hpp"
#include "solver/numerics/accuracy/refine.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/sweeps/solve_plan.hpp"
#include "tests/support/matrices/owned_sides.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/solve_problem.hpp"
#include "tests/support/ranks/virtual_programs.hpp"

namespace frond::testing {
namespace {

template <Scalar S>
SparseMatrix<S> disturbed(SparseMatrix<S> matrix, double noise) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> error(-noise, noise);
  for (S& value : matrix.values) {
    value *= static_cast<RealOf<S>>(1 + error(random));
  }
  return matrix;
}

template <Scalar S>
struct RefinedRun {
  RefinedRun(const RankProblem<S>& problem, const SparseMatrix<S>& a, Operation operation, const DenseMatrix<S>& b,
             RefinementOptions limits, std::uint32_t seed)
      : sides(sides_on_rank_0(b, problem.mapping.num_ranks(), true)),
        reports(sides.size(), std::vector<ColumnReport>(static_cast<std::size_t>(b.num_cols))) {
    const BlasThreadsGuard guard;
    std::mt19937 random(seed);
    const CutFactors<S> cut = cut_factors(*problem.factors, problem.mapping, 0.5, random);
    test::VirtualNetwork network(problem.mapping.num_ranks(), 1, 500, seed);
    std::vector<std::unique_ptr<ColumnPart<S>>> parts;
    for (std::size_t r = 0; r < sides.size(); ++r) {
      kept.emplace_back(2);
    }
    std::vector<std::unique_ptr<RankRefinedSolve<S>>> programs;
    std::vector<MessageProgram*> pointers;
    const std::vector<RankSystem<S>> systems = problem.systems(problem.mapping, cut);
    for (std::size_t r = 0; r < sides.size(); ++r) {
      const auto rank = static_cast<Rank>(r);
      parts.push_back(std::make_unique<ColumnPart<S>>(a.view(), rank, problem.mapping.num_ranks()));
      programs.push_back(std::make_unique<RankRefinedSolve<S>>(systems[r], a.view(), parts.back()->view(), operation,
                                                               std::span<const RealOf<S>>(), sides[r].view(), reports[r], limits,
                                                               kept[r], network.channel(0, rank)));
      pointers.push_back(programs.back().get());
    }
    test::run_programs(network, pointers, {.seed = seed});
    for (const auto& program : programs) {
      EXPECT_FALSE(program->failure());
    }
  }

  [[nodiscard]] const DenseMatrix<S>& x(std::size_t rank) const { return sides[rank].x; }

  std::vector<SolvedColumns<S>> kept;              // [rank]
  std::vector<OwnedSides<S>> sides;                // [rank]
  std::vector<std::vector<ColumnReport>> reports;  // [rank]
};

constexpr Index kOrder = 125;

template <Scalar S>
class RefinedProblem {
 public:
  RefinedProblem(Method method, double noise, Rank num_ranks, DenseMatrix<S> b)
      : a_(test::grid_matrix<S>(symmetry_for(method, kIsComplex<S>), 5, 5, 5, test::Values::dominant, 2)),
        problem_(method, disturbed(a_, noise), num_ranks),
        b_(std::move(b)) {}

  [[nodiscard]] RefinedRun<S> run(Operation operation, RefinementOptions limits, std::uint32_t seed) const {
    return {problem_, a_, operation, b_, limits, seed};
  }

  // Refines in one process.
  std::vector<ColumnReport> refine(Operation operation, RefinementOptions limits, DenseMatrix<S>& x) const {
    const SolvePlan plan(problem_.symbolic->tree());
    const BackwardErrorMeter<S> meter(a_.view(), operation);
    const SolveInPlace<S> by_factors = [&](const Sweep<S>& sweep) { solve_with_factors(*problem_.factors, plan, sweep, 1); };
    const RefinedSolve<S> refined{by_factors, operation, meter, limits};
    std::vector<ColumnReport> reports(static_cast<std::size_t>(b_.num_cols));
    x = DenseMatrix<S>(b_.num_rows, b_.num_cols);
    refined.run({b_.values.data(), b_.num_rows, b_.num_cols, b_.num_rows}, view_of(x), reports);
    return reports;
  }

  [[nodiscard]] const DenseMatrix<S>& b() const { return b_; }
  [[nodiscard]] const SparseMatrix<S>& a() const { return a_; }

 private:
  SparseMatrix<S> a_;
  RankProblem<S> problem_;
  DenseMatrix<S> b_;
};

template <class S>
class RankRefinedSolveOf : public ::testing::Test {};
TYPED_TEST_SUITE(RankRefinedSolveOf, test::Scalars);

TYPED_TEST(RankRefinedSolveOf, RemovesTheErrorsOfTheFactors) {
  using S = TypeParam;
  const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  for (const Method method : {Method::cholesky, Method::lu}) {
    for (const Rank num_ranks : {1, 3, 8}) {
      const RefinedProblem<S> problem(method, 1e-3, num_ranks, random_dense<S>(kOrder, 3, 3));
      for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
        const std::uint32_t seed = std::random_device{}();
        SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", operation " << static_cast<int>(operation)
                                          << ", " << num_ranks << " ranks, seed " << seed);
        const RefinedRun<S> run = problem.run(operation, {}, seed);
        DenseMatrix<S> expected;
        const std::vector<ColumnReport> reports = problem.refine(operation, {}, expected);
        for (std::size_t j = 0; j < 3; ++j) {
          EXPECT_LE(run.reports[0][j].componentwise_backward_error, 10 * eps);
          EXPECT_GE(run.reports[0][j].refinement_steps, 1);
          EXPECT_NEAR(run.reports[0][j].refinement_steps, reports[j].refinement_steps, 1);
        }
        EXPECT_LE(dense_backward_error(dense(problem.a(), operation), run.x(0), problem.b()), 10 * eps);
        for (std::size_t rank = 1; rank < run.sides.size(); ++rank) {
          EXPECT_EQ(run.x(rank).values, run.x(0).values);
          EXPECT_EQ(run.reports[rank][2].normwise_backward_error, run.reports[0][2].normwise_backward_error);
        }
      }
    }
  }
}

TYPED_TEST(RankRefinedSolveOf, TurnsToKrylovWhereCorrectionsStall) {
  using S = TypeParam;
  const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  for (const Rank num_ranks : {1, 3, 8}) {
    const RefinedProblem<S> problem(Method::lu, 1, num_ranks, random_dense<S>(kOrder, 3, 3));
    for (const Operation operation : {Operation::plain, Operation::adjoint}) {
      const std::uint32_t seed = std::random_device{}();
      SCOPED_TRACE(::testing::Message() << "operation " << static_cast<int>(operation) << ", " << num_ranks << " ranks, seed "
                                        << seed);
      const RefinedRun<S> run = problem.run(operation, {10, 500}, seed);
      DenseMatrix<S> expected;
      const std::vector<ColumnReport> reports = problem.refine(operation, {10, 500}, expected);
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_LE(run.reports[0][j].componentwise_backward_error, 45 * eps);
        EXPECT_GE(run.reports[0][j].krylov_steps, 1);
        EXPECT_NEAR(run.reports[0][j].krylov_steps, reports[j].krylov_steps, 0.5 * reports[j].krylov_steps);
      }
      EXPECT_LE(dense_backward_error(dense(problem.a(), operation), run.x(0), problem.b()), 45 * eps);
    }
  }
}

TEST(RankRefinedSolve, DoesNoMoreStepsThanAllowed) {
  const RefinedProblem<double> problem(Method::lu, 1e-3, 3, random_dense<double>(kOrder, 2, 3));
  for (const int max_steps : {0, 2}) {
    const RefinedRun<double> run = problem.run(Operation::plain, {max_steps, 0}, std::random_device{}());
    for (const ColumnReport& report : run.reports[2]) {
      EXPECT_EQ(report.refinement_steps, max_steps);
      EXPECT_GT(report.componentwise_backward_error, 1e-14);
    }
  }
}

TEST(RankRefinedSolve, GoesThroughBlocksOfColumns) {
  DenseMatrix<double> b = random_dense<double>(kOrder, 70, 3);
  std::fill(b.column(66).begin(), b.column(66).end(), 0.0);
  const RefinedProblem<double> problem(Method::cholesky, 1e-3, 2, b);
  const RefinedRun<double> run = problem.run(Operation::plain, {}, std::random_device{}());
  EXPECT_LE(dense_backward_error(dense(problem.a()), run.x(1), problem.b()), 1e-15);
  EXPECT_EQ(run.reports[1][66].normwise_backward_error, 0);
  for (const double value : run.x(1).column(66)) {
    EXPECT_EQ(value, 0);
  }
}

TEST(RankRefinedSolve, SolvesNothing) {
  const RankProblem<double> problem(Method::lu, SparseMatrix<double>(), 3);
  const RefinedRun<double> run(problem, problem.a, Operation::plain, DenseMatrix<double>(0, 2), {}, 1);
  EXPECT_EQ(run.reports[2][1].normwise_backward_error, 0);
}

}  // namespace
}  // namespace frond::testing
