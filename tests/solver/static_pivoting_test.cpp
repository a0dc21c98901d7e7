// SPDX-License-Identifier: BSD-3-Clause
// Systems solved with static pivoting: perturbed factors, accurate answers, and verdicts that stay honest.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "solver/factorization.hpp"
#include "tests/support/matrices/known_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;

template <class S>
class StaticPivotingSolveTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(StaticPivotingSolveTest, Scalars);

SolverOptions static_options() {
  SolverOptions options;
  options.factorization.num_threads = 1;
  options.factorization.pivoting.kind = PivotingKind::static_structure;
  return options;
}

bool has_note(const std::vector<std::string>& notes, const std::string& words) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

TYPED_TEST(StaticPivotingSolveTest, SolvesAccuratelyWithoutDelays) {
  using S = TypeParam;
  Count num_perturbed = 0;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
      for (const std::uint64_t seed : {1, 2, 3}) {
        SCOPED_TRACE(::testing::Message() << "symmetry " << static_cast<int>(symmetry) << ", flavour " << static_cast<int>(flavour)
                                          << ", seed " << seed);
        const SparseMatrix<S> matrix = testing::random_matrix<S>(120, 3, symmetry, flavour, seed);
        const Factorization<S> factorization(analyze(matrix, static_options()), matrix, static_options());
        const FactorizationReport& report = factorization.report().factorization;
        EXPECT_EQ(report.num_delayed_pivots, 0);
        EXPECT_TRUE(report.null_pivots.empty());
        EXPECT_EQ(has_note(factorization.report().notes, "static pivoting enlarged"), report.num_perturbed_pivots > 0);
        num_perturbed += report.num_perturbed_pivots;
        DenseMatrix<S> b = testing::random_dense<S>(120, 2, 21);
        DenseMatrix<S> x(120, 2);
        const SolveReport solved = factorization.solve(DenseView<const S>(view_of(b)), view_of(x));
        EXPECT_EQ(solved.verdict, Verdict::solved) << solved.describe();
        EXPECT_LE(testing::dense_backward_error(testing::dense(matrix), x, b), solved.target);
      }
    }
  }
  EXPECT_GT(num_perturbed, 0);
}

// A Laplacian without boundary has no solution for a b that does not add up to zero. An x of the size of 1/eps along its null
// vector has a small backward error all the same: so there is a note, and what is claimed must be true.
TYPED_TEST(StaticPivotingSolveTest, NotesThatASystemMayBeSingular) {
  using S = TypeParam;
  const testing::KnownSystem<S> known =
      testing::disguised<S>(testing::graph_laplacian(30, 2, 7), Symmetry::symmetric, {0, true, false}, 3);
  SolverOptions options = static_options();
  options.method = Method::ldlt;
  const Factorization<S> factorization(analyze(known.matrix, options), known.matrix, options);
  EXPECT_GT(factorization.report().factorization.num_perturbed_pivots, 0);
  EXPECT_TRUE(has_note(factorization.report().notes, "threshold pivoting would tell")) << factorization.report().notes.back();
  DenseMatrix<S> b(known.matrix.num_rows, 1);
  b(0, 0) = S(1);
  DenseMatrix<S> x(known.matrix.num_rows, 1);
  const SolveReport solved = factorization.solve(DenseView<const S>(view_of(b)), view_of(x));
  if (solved.verdict == Verdict::solved) {
    EXPECT_LE(testing::dense_backward_error(testing::dense(known.matrix), x, b), solved.target);
  }
}

}  // namespace
}  // namespace frond
