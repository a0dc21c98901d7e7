// SPDX-License-Identifier: BSD-3-Clause
// Tests systems solved with static pivoting: perturbed factors without delays, accurate answers, and honest verdicts.
#include <gtest/gtest.h>

#include <algorithm>

#include "solver/numerics/problem/report.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/known_systems.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

using testing::Flavour;

template <class S>
class StaticPivoting : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 120;

  static StageOptions static_options(Layout layout) {
    StageOptions options{{}, layout};
    options.solver.factorization.pivoting.kind = PivotingKind::static_structure;
    return options;
  }

  struct Outcome {
    Count num_perturbed = 0;
    bool is_missed = false;
  };

  // Also checks that the counts of the levels add up. An inaccurate solution must be reported as such: GMRES stalls for a few in a
  // hundred general matrices without a diagonal, in any ordering.
  static Outcome expect_solved_without_delays(const SparseMatrix<S>& matrix, Layout layout) {
    const auto factorization = factorize<S>(matrix, static_options(layout));
    const FactorizationReport& report = factorization->report().factorization;
    EXPECT_EQ(report.num_delayed_pivots, 0);
    EXPECT_TRUE(report.null_pivots.empty());
    EXPECT_EQ(has_note(factorization->report().notes, "static pivoting enlarged"), report.num_perturbed_pivots > 0);
    LevelCounts sum;
    for (const LevelCounts& level : report.levels) {
      sum += level;
    }
    EXPECT_EQ(sum.num_fronts, factorization->symbolic().tree().num_nodes());
    EXPECT_EQ(sum.num_perturbed_pivots, report.num_perturbed_pivots);
    EXPECT_NEAR(sum.flops, report.flops, 1e-9 * report.flops);
    const DenseMatrix<S> b = testing::random_dense<S>(kOrder, 2, 21);
    DenseMatrix<S> x(kOrder, 2);
    const SolveReport solved = factorization->solve(b, x);
    const double error = testing::dense_backward_error(testing::dense(matrix), x, b);
    const double componentwise_error = testing::dense_componentwise_error(testing::dense(matrix), x, b);
    if (solved.verdict == Verdict::accuracy_missed) {
      EXPECT_TRUE(error > solved.target / 2 || componentwise_error > kComponentwiseAccuracy<S> / 2) << solved.describe();
      return {report.num_perturbed_pivots, true};
    }
    EXPECT_EQ(solved.verdict, Verdict::solved) << solved.describe();
    EXPECT_LE(error, solved.target) << solved.describe();
    EXPECT_LE(componentwise_error, std::max(kComponentwiseAccuracy<S>, 2 * solved.worst().componentwise_backward_error))
        << solved.describe();
    return {report.num_perturbed_pivots, false};
  }
};
TYPED_TEST_SUITE(StaticPivoting, test::Scalars);

TYPED_TEST(StaticPivoting, SolvesAccuratelyWithoutDelays) {
  using S = TypeParam;
  Count num_perturbed = 0;
  int num_missed = 0;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
      for (std::uint64_t seed = 4; seed < 4 + num_seeds(4); ++seed) {
        SCOPED_TRACE(::testing::Message() << "symmetry " << static_cast<int>(symmetry) << ", flavour " << static_cast<int>(flavour)
                                          << ", seed " << seed);
        const SparseMatrix<S> matrix = testing::random_matrix<S>(this->kOrder, 3, symmetry, flavour, seed);
        bool is_missed = false;
        for (const Layout layout : layouts()) {
          const auto outcome = this->expect_solved_without_delays(matrix, layout);
          num_perturbed += outcome.num_perturbed;
          is_missed = is_missed || outcome.is_missed;
        }
        num_missed += is_missed ? 1 : 0;
        EXPECT_TRUE(!is_missed || (symmetry == Symmetry::general && flavour == Flavour::zero_diagonal));
      }
    }
  }
  EXPECT_GT(num_perturbed, 0);
  EXPECT_LE(num_missed, 1);
}

// A Laplacian without boundary has no solution if b does not sum to zero. Even so, an x of size 1/eps along its null vector has a
// small backward error: there must be a note, and every claim must be true.
TYPED_TEST(StaticPivoting, NotesThatASystemMayBeSingular) {
  using S = TypeParam;
  const testing::KnownSystem<S> known =
      testing::disguised<S>(testing::graph_laplacian(30, 2, 7), Symmetry::symmetric, {0, true, false}, 3);
  StageOptions options = this->static_options(Layout::rows);
  options.solver.method = Method::ldlt;
  const auto factorization = factorize<S>(known.matrix, options);
  EXPECT_GT(factorization->report().factorization.num_perturbed_pivots, 0);
  EXPECT_TRUE(has_note(factorization->report().notes, "threshold pivoting would show")) << factorization->report().notes.back();
  DenseMatrix<S> b(known.matrix.num_rows, 1);
  b(0, 0) = S(1);
  DenseMatrix<S> x(known.matrix.num_rows, 1);
  const SolveReport solved = factorization->solve(b, x);
  if (solved.verdict == Verdict::solved) {
    EXPECT_LE(testing::dense_backward_error(testing::dense(known.matrix), x, b), solved.target);
  }
}

}  // namespace
}  // namespace frond::stages
