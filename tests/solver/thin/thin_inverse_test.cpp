// SPDX-License-Identifier: BSD-3-Clause
// Tests entries of the inverse without fronts against refined ones of the same systems with fronts.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "frond/factorization.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/thin_options.hpp"
#include "tests/support/typed_tests.hpp"

namespace frond {
namespace {

using testing::Flavour;
using testing::Shuffle;
using testing::with_thin;

template <class S>
class ThinInverseTest : public ::testing::Test {};

using InverseScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ThinInverseTest, InverseScalars);

// With one block, with many that depend on others, symmetric and Hermitian.
template <class S>
std::vector<SparseMatrix<S>> systems() {
  return {testing::random_matrix<S>(80, 4, Symmetry::general, Flavour::dominant, 3),
          testing::reducible_matrix<S>({1, 9, 1, 2, 30, 1, 1}, 3, Shuffle::none, 8),
          testing::reducible_matrix<S>({1, 1, 20, 3, 30, 1, 9, 1}, 3, Shuffle::apart, 9),
          testing::random_matrix<S>(80, 4, Symmetry::symmetric, Flavour::dominant, 3),
          testing::random_matrix<S>(80, 4, Symmetry::hermitian, Flavour::dominant, 3)};
}

// Every third column, with one to four entries.
template <class S>
SparseMatrix<S> scattered_pattern(Index order) {
  Triplets<S> entries{order, order};
  for (Index j = 0; j < order; j += 3) {
    for (Index i = 0; i <= j % 4; ++i) {
      entries.add((7 * j + 31 * i + 3) % order, j, S(1));
    }
  }
  return compress(std::move(entries));
}

TYPED_TEST(ThinInverseTest, FindsEntriesOfTheInverseAsFrontsDo) {
  using S = TypeParam;
  using R = RealOf<S>;
  for (const SparseMatrix<S>& matrix : systems<S>()) {
    for (const bool is_transposed : {false, true}) {
      for (const bool measures : {true, false}) {
        SolverOptions options = with_thin(Use::always);
        options.refinement.measures = measures;
        const Factorization<S> thin(SystemMatrix<S>(matrix.view(), is_transposed), options);
        const Factorization<S> fronts(SystemMatrix<S>(matrix.view(), is_transposed), with_thin(Use::never));
        const SparseMatrix<S> pattern = scattered_pattern<S>(matrix.num_rows);
        const InverseEntries<S> found = thin.inverse_entries(pattern.pattern());
        const InverseEntries<S> expected = fronts.inverse_entries(pattern.pattern(), InverseAccuracy::refined);
        const bool is_measured = measures || !may_stay_unmeasured<S>(thin.report().factorization);
        ASSERT_EQ(found.verdict, is_measured ? Verdict::solved : Verdict::unmeasured) << found.describe();
        EXPECT_EQ(found.num_checked, is_measured ? 4 : 0);
        const R bound = 10000 * std::numeric_limits<R>::epsilon() * largest_magnitude<S>(expected.values);
        EXPECT_EQ(found.num_columns, expected.num_columns);
        for (std::size_t k = 0; k < expected.values.size(); ++k) {
          EXPECT_LE(std::abs(found.values[k] - expected.values[k]), bound) << k;
        }
        EXPECT_TRUE(thin.analysis().thin()) << "it needs no fronts";
      }
    }
  }
}

}  // namespace
}  // namespace frond
