// SPDX-License-Identifier: BSD-3-Clause
// Tests systems that keep no factors: the report must be that of a run that keeps them, and everything else is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/symmetry.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/report_bits.hpp"

namespace frond::stages {
namespace {

using testing::Flavour;

StageOptions that_keep(KeptFactors kept, Layout layout = Layout::rows, int num_threads = 1) {
  StageOptions options{{}, layout};
  options.solver.factorization.kept = kept;
  options.solver.factorization.num_threads = num_threads;
  return options;
}

// Every rank refuses the call, and none waits for the others.
void expect_usage_error(const std::string& what, const std::function<void()>& call) {
  SCOPED_TRACE(what);
  testing::expect_error<UsageError>("KeptFactors::all", call);
}

template <class S>
class WithoutFactors : public ::testing::Test {
 protected:
  // In one process the bits are the same. On ranks, determinants and pivots agree to rounding.
  static void expect_same(const SystemReport& none_of, const SystemReport& all_of) {
    const FactorizationReport& none = none_of.factorization;
    const FactorizationReport& all = all_of.factorization;
    EXPECT_TRUE(!is_one_process() || none_of.notes == all_of.notes);
    EXPECT_TRUE(!is_one_process() || test::report_bits(none) == test::report_bits(all));
    EXPECT_EQ(none.status, all.status);
    EXPECT_EQ(none.inertia.positive, all.inertia.positive);
    EXPECT_EQ(none.inertia.negative, all.inertia.negative);
    EXPECT_EQ(none.inertia.zero, all.inertia.zero);
    EXPECT_EQ(none.null_pivots, all.null_pivots);
    EXPECT_EQ(none.num_delayed_pivots, all.num_delayed_pivots);
    EXPECT_EQ(none.num_two_by_two, all.num_two_by_two);
    EXPECT_EQ(none.factor_entries, all.factor_entries);
    EXPECT_EQ(none.flops, all.flops);
    EXPECT_EQ(none.levels.size(), all.levels.size());
    EXPECT_NEAR(none.smallest_pivot / all.smallest_pivot, 1, kTolerance);
    EXPECT_NEAR(none.pivot_growth / all.pivot_growth, 1, kTolerance);
    EXPECT_EQ(none.determinant.exponent, all.determinant.exponent);
    EXPECT_NEAR(std::abs(none.determinant.mantissa - all.determinant.mantissa), 0, kTolerance);
    EXPECT_GT(all.factor_bytes, 0);
    EXPECT_EQ(none.factor_bytes, 0);
  }

  static constexpr double kTolerance = 1e5 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
};
TYPED_TEST_SUITE(WithoutFactors, test::Scalars);

TYPED_TEST(WithoutFactors, ReportsAreTheSame) {
  using S = TypeParam;
  Spread spread;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian, Symmetry::skew_symmetric}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal}) {
      if (symmetry == Symmetry::skew_symmetric && (flavour == Flavour::dominant || !is_one_process())) {
        continue;
      }
      const SparseMatrix<S> matrix = testing::random_matrix<S>(200, 4, symmetry, flavour, 1);
      for (const Layout layout : layouts()) {
        const auto all = factorize<S>(matrix, that_keep(KeptFactors::all, layout));
        for (int num_threads = 1; num_threads <= (is_one_process() ? 2 : 1); ++num_threads) {
          SCOPED_TRACE(::testing::Message() << to_string(symmetry) << ", flavour " << static_cast<int>(flavour) << ", threads "
                                            << num_threads);
          const auto none = factorize<S>(matrix, that_keep(KeptFactors::none, layout, num_threads));
          this->expect_same(none->report(), all->report());
          EXPECT_EQ(none->report().notes, all->report().notes);
          EXPECT_TRUE(!is_one_process() || none->report().factorization.peak_bytes < all->report().factorization.peak_bytes);
          EXPECT_TRUE(!holds_factors(none->calls()) || none->report().factorization.status != FactorizationStatus::success);
          spread += none->spread();
        }
      }
    }
  }
  expect_spread(spread);
}

// Null pivots cause a second factorization, and gather a root on a grid.
TYPED_TEST(WithoutFactors, SingularMatricesToo) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const SparseMatrix<S> matrix = testing::singular_matrix<S>(120, 3, symmetry, 1);
    for (const Layout layout : layouts()) {
      const auto all = factorize<S>(matrix, that_keep(KeptFactors::all, layout));
      const auto none = factorize<S>(matrix, that_keep(KeptFactors::none, layout));
      EXPECT_EQ(none->report().factorization.null_pivots.size(), 3U);
      this->expect_same(none->report(), all->report());
    }
  }
}

TYPED_TEST(WithoutFactors, TheSchurComplementStays) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const SparseMatrix<S> matrix =
        testing::random_matrix<S>(200, 4, symmetry, is_one_process() ? Flavour::zero_diagonal : Flavour::dominant, 1);
    StageOptions options = that_keep(KeptFactors::none);
    options.solver.analysis.schur_variables = {10, 11, 40, 41};
    const auto none = factorize<S>(matrix, options);
    options.solver.factorization.kept = KeptFactors::all;
    const auto expected = factorize<S>(matrix, options)->schur_complement().values;
    const auto found = none->schur_complement().values;
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_LE(std::abs(found[k] - expected[k]), is_one_process() ? 0 : this->kTolerance);
    }
    DenseMatrix<S> b(200, 1);
    DenseMatrix<S> condensed(4, 1);
    expect_usage_error("condense", [&] { none->condense(b, condensed); });
    expect_usage_error("expand", [&] { none->expand(b, condensed, b, Operation::plain); });
    expect_usage_error("solve", [&] { (void)none->solve(b, b); });
  }
}

TYPED_TEST(WithoutFactors, WhatNeedsFactorsIsRefused) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(20, 4, Symmetry::general, Flavour::dominant, 1);
  const auto none = factorize<S>(matrix, that_keep(KeptFactors::none));
  DenseMatrix<S> x(20, 20);
  expect_usage_error("solve", [&] { (void)none->solve(x, x); });
  expect_usage_error("solve_sparse", [&] { (void)none->solve_sparse(matrix, x); });
  expect_usage_error("inverse_diagonal", [&] { (void)none->calls().inverse_diagonal(); });
  expect_usage_error("inverse_entries", [&] { (void)none->inverse_entries(matrix.pattern()); });
  expect_usage_error("null_space", [&] { (void)none->null_space(); });
  expect_usage_error("solve_part", [&] { none->solve_part(FactorPart::lower, Operation::plain, x); });
  expect_usage_error("factor_order", [&] { (void)none->calls().factor_order(); });
  expect_usage_error("save", [&] { none->save("no.factors"); });
  expect_usage_error("half of the factors", [&] { (void)factorize<S>(matrix, that_keep(KeptFactors::backward)); });
}

TEST(WithoutFactorsOfDoubles, MixedPrecisionIsRefused) {
  const SparseMatrix<double> matrix = testing::random_matrix<double>(20, 4, Symmetry::general, Flavour::dominant, 1);
  StageOptions options = that_keep(KeptFactors::none);
  options.solver.mixed_precision = true;
  EXPECT_THROW((void)factorize<double>(matrix, options), UsageError);
}

// A pivot of 1e-10 in a matrix that is not singular. The factors are kept until that is proved, and then released.
TEST(WithoutFactorsOfDoubles, TheConditionSettlesWhatSmallPivotsLeaveOpen) {
  const SparseMatrix<double> matrix =
      compress(Triplets<double>{3, 3, Symmetry::general, {0, 1, 2, 1, 2}, {0, 1, 2, 2, 1}, {1, 1, 1 + 1e-10, 1, 1}});
  const SystemReport report = factorize<double>(matrix, that_keep(KeptFactors::none))->report();
  EXPECT_EQ(report.factorization.status, FactorizationStatus::success);
  EXPECT_TRUE(report.notes.empty() || !is_one_process());  // ranks note that they have no thread for loads
  EXPECT_EQ(report.rank.status, RankVerdict::nonsingular);
  EXPECT_LT(report.rank.number, 1e-2);
  EXPECT_NEAR(report.equilibrated_condition, 4e10, 2e10);
  EXPECT_EQ(report.factorization.factor_bytes, 0);
}

}  // namespace
}  // namespace frond::stages
