// SPDX-License-Identifier: BSD-3-Clause
// Tests right-hand sides eliminated with the matrix over virtual ranks, for every order of events: X is checked against the dense
// matrix, half of the factors must be gone, and any failure must end all ranks.
#include "solver/distributed/ranks/rank_forward_elimination.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "factorization/kernels/blas_threads.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "frond/error.hpp"
#include "solver/distributed/ranks/rank_solve.hpp"
#include "tests/support/matrices/owned_sides.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/rank_problem.hpp"
#include "tests/support/ranks/virtual_programs.hpp"
#include "tests/support/ranks/virtual_ranks.hpp"

namespace frond::testing {
namespace {

using test::Values;

/// An LU system spread over the ranks, by rows where possible, optionally with its root on a grid.
template <Scalar S>
struct SpreadSystem {
  SpreadSystem(SparseMatrix<S> matrix, Rank num_ranks, bool is_on_grid, OrderingKind ordering = OrderingKind::automatic)
      : a(std::move(matrix)) {
    AnalysisOptions options;
    options.method = Method::lu;
    options.ordering.kind = ordering;
    options.block_triangular = Use::never;  // right-hand sides are eliminated in one pass
    options.mapping = test::spread_over(num_ranks, is_on_grid ? test::Types::grid : test::Types::row_distributed, 0.01, 4);
    symbolic = analyze(a.pattern(), options);
    mapping = map_tree(symbolic->tree(), Method::lu, options.mapping);
  }

  SparseMatrix<S> a;
  std::shared_ptr<const Symbolic> symbolic;
  Mapping mapping;
};

/// Sends B to the ranks, factorizes together with B, and sweeps back.
template <Scalar S>
class EliminationRun {
 public:
  EliminationRun(const SpreadSystem<S>& system, Index num_rhs, test::VirtualRun run)
      : system_(system), run_(std::move(run)), num_ranks_(system.mapping.num_ranks()) {
    for (Rank rank = 0; rank < num_ranks_; ++rank) {
      eliminations_.push_back(std::make_unique<RankForwardElimination<S>>(*system.symbolic, system.mapping, rank, num_rhs, 1));
    }
  }

  void load(std::vector<OwnedSides<S>>& sides) const {
    std::vector<SolvableSystem<S>> systems;
    for (const auto& elimination : eliminations_) {
      systems.push_back(UnfactorizedRankSystem<S>{*system_.symbolic, system_.mapping, {}, {}, elimination.get()});
    }
    solve(systems, sides);
  }

  test::VirtualRunResult<S> factorize() const {
    test::RankWatchers<S> watchers;
    for (const auto& elimination : eliminations_) {
      watchers.push_back(elimination.get());
    }
    return test::factorize_on_virtual_ranks<S>(system_.symbolic, Method::lu, system_.a, system_.mapping, run_, watchers);
  }

  // Returns X, which all ranks hold in the end.
  DenseMatrix<S> sweep_back(const std::vector<RankFactors<S>>& factors, const DenseMatrix<S>& b) const {
    std::vector<EliminatedSides<S>> eliminated;
    for (std::size_t rank = 0; rank < eliminations_.size(); ++rank) {
      eliminated.push_back(eliminations_[rank]->finish(factors[rank]));
    }
    std::vector<SolvableSystem<S>> systems;
    for (std::size_t rank = 0; rank < eliminations_.size(); ++rank) {
      systems.push_back(
          EliminatedRankSystem<S>{{*system_.symbolic, system_.mapping, Method::lu, factors[rank], {}, {}}, &eliminated[rank]});
    }
    std::vector<OwnedSides<S>> sides = sides_on_rank_0(b, num_ranks_, true);
    solve(systems, sides);
    for (const OwnedSides<S>& side : sides) {
      EXPECT_EQ(side.x.values, sides[0].x.values);
    }
    return sides[0].x;
  }

 private:
  void solve(const std::vector<SolvableSystem<S>>& systems, std::vector<OwnedSides<S>>& sides) const {
    const BlasThreadsGuard guard;
    test::VirtualNetwork network(num_ranks_, 1, run_.buffer_bytes, run_.seed);
    std::vector<std::unique_ptr<RankSolve<S>>> programs;
    std::vector<MessageProgram*> pointers;
    for (std::size_t rank = 0; rank < systems.size(); ++rank) {
      programs.push_back(std::make_unique<RankSolve<S>>(systems[rank], Sweep<S>{}, sides[rank].view(),
                                                        network.channel(0, static_cast<Rank>(rank))));
      pointers.push_back(programs.back().get());
    }
    (void)test::run_programs(network, pointers, {.seed = run_.seed});
    EXPECT_FALSE(programs[0]->failure());
  }

  const SpreadSystem<S>& system_;
  test::VirtualRun run_;
  Rank num_ranks_;
  std::vector<std::unique_ptr<RankForwardElimination<S>>> eliminations_;
};

// Checks that the ranks keep all of M, and apart from that only what a root on a grid holds.
template <Scalar S>
void expect_half(const test::VirtualRunResult<S>& result) {
  for (const RankFactors<S>& part : result.factors) {
    EXPECT_TRUE(part.rows.empty());
    for (const FrontFactor<S>& front : part.fronts) {
      EXPECT_EQ(front.upper, nullptr);
      EXPECT_TRUE(front.lower == nullptr || front.layout.width == kPanelWidth);
    }
  }
}

struct Met {
  Count slaves = 0;
  Count delayed = 0;
  Count refused_sends = 0;
};

template <Scalar S>
void expect_solution(const SpreadSystem<S>& system, Index num_rhs, Met& met) {
  const std::uint32_t seed = std::random_device{}();
  const Rank num_ranks = system.mapping.num_ranks();
  SCOPED_TRACE(::testing::Message() << num_ranks << " ranks, " << num_rhs << " right-hand sides, seed " << seed);
  std::mt19937 random(seed);
  DenseMatrix<S> b = random_dense<S>(system.a.num_rows, num_rhs, seed);
  std::vector<OwnedSides<S>> sides = scattered_sides(b, num_ranks, random);
  const EliminationRun<S> run(system, num_rhs, {.seed = seed, .buffer_bytes = random() % 2 == 0 ? 300 : Count{1} << 20});
  run.load(sides);
  const test::VirtualRunResult<S> result = run.factorize();
  ASSERT_FALSE(result.failure);
  ASSERT_TRUE(result.complaints.empty()) << result.complaints.front();
  expect_half(result);
  const DenseMatrix<S> x = run.sweep_back(result.factors, b);
  EXPECT_LE(dense_backward_error(dense(system.a), x, b), 1e-12);
  met.slaves += result.counts.slaves_chosen;
  met.delayed += result.report.num_delayed_pivots;
  met.refused_sends += result.counts.refused_sends;
}

template <class S>
class RankForwardEliminationOf : public ::testing::Test {};
using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(RankForwardEliminationOf, Scalars);

TYPED_TEST(RankForwardEliminationOf, SolvesInEveryOrderOfEvents) {
  using S = TypeParam;
  for (const Rank num_ranks : {1, 2, 3, 5}) {
    for (const bool is_on_grid : {false, true}) {
      Met met;
      for (const Values values : {Values::random, Values::zero_diagonal}) {
        const SpreadSystem<S> system(test::grid_matrix<S>(Symmetry::general, 6, 6, 6, values, 4), num_ranks, is_on_grid);
        EXPECT_EQ(system.mapping.num_nodes_of(NodeType::grid_distributed), is_on_grid && num_ranks > 1 ? 1 : 0);
        expect_solution(system, 3, met);
        expect_solution(system, 70, met);
      }
      EXPECT_GT(met.delayed, 0);
      EXPECT_TRUE(met.slaves > 0 || num_ranks == 1);
    }
  }
}

// In this ordering, nothing in the first half can be eliminated where it is fully summed.
TYPED_TEST(RankForwardEliminationOf, CarriesDelayedEquationsFar) {
  using S = TypeParam;
  Met met;
  for (const Rank num_ranks : {2, 3, 5}) {
    const SpreadSystem<S> system(test::saddle_matrix<S>(Symmetry::general, 40, 5), num_ranks, false, OrderingKind::natural);
    expect_solution(system, 2, met);
  }
  EXPECT_GT(met.delayed, 40);
}

TYPED_TEST(RankForwardEliminationOf, ForestsAndOrdersZeroAndOne) {
  using S = TypeParam;
  Met met;
  for (const Rank num_ranks : {1, 3}) {
    for (const Index order : {0, 1}) {
      expect_solution(
          SpreadSystem<S>(test::grid_matrix<S>(Symmetry::general, order, order, order, Values::dominant, 1), num_ranks, false), 2,
          met);
    }
    expect_solution(SpreadSystem<S>(test::random_sparse<S>(Symmetry::general, 60, 0.01, Values::dominant, 1), num_ranks, false), 2,
                    met);
  }
}

TEST(RankForwardElimination, AnErrorAnywhereEndsAllRanks) {
  const SpreadSystem<double> system(test::grid_matrix<double>(Symmetry::general, 5, 5, 5, Values::zero_diagonal, 1), 5, false);
  int num_failed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const std::uint32_t seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    test::VirtualRun run{.seed = seed, .buffer_bytes = seed % 2 == 0 ? 300 : Count{1} << 20};
    run.before = [&](Rank, test::Phase) {
      if (random() % 200 == 0) {
        throw MemoryError("planted", 123, 45);
      }
    };
    const test::VirtualRunResult<double> result = EliminationRun<double>(system, 2, run).factorize();
    EXPECT_TRUE(result.complaints.empty()) << result.complaints.front();
    num_failed += result.failure ? 1 : 0;
  }
  EXPECT_GT(num_failed, 20);
}

}  // namespace
}  // namespace frond::testing
