// SPDX-License-Identifier: BSD-3-Clause
// Tests systems that keep no factors: the report must be the same, and everything else is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "matrices/symmetry.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/known_expectations.hpp"
#include "tests/support/ranks/report_bits.hpp"

namespace frond {
namespace {

using testing::Flavour;

SolverOptions without_factors(int num_threads = 1) {
  SolverOptions options;
  options.factorization.kept = KeptFactors::none;
  options.factorization.num_threads = num_threads;
  return options;
}

void expect_usage_error(const std::string& what, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << what << ": no UsageError";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("KeptFactors::all"), std::string::npos) << what << ": " << error.what();
  }
}

template <class S>
class KeptFactorsSolverTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(KeptFactorsSolverTest, Scalars);

// Rank, inertia and determinant must be the known ones, even without a condition number.
TYPED_TEST(KeptFactorsSolverTest, KnownSystemsAreAsKnown) {
  using S = TypeParam;
  int num_same = 0;
  for (const testing::KnownSystem<S>& known : testing::known_systems<S>()) {
    SCOPED_TRACE(known.name);
    const auto analysis = analyze(known.matrix);
    const SystemReport all = Factorization<S>(analysis, known.matrix).report();
    const SystemReport none = Factorization<S>(analysis.with_options(without_factors(2)), known.matrix).report();
    testing::expect_as_known(known, none);
    num_same += test::report_bits(none.factorization) == test::report_bits(all.factorization) ? 1 : 0;
  }
  EXPECT_GT(num_same, 20);
}

TYPED_TEST(KeptFactorsSolverTest, ReportsAreTheSameBits) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian, Symmetry::skew_symmetric}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal}) {
      if (symmetry == Symmetry::skew_symmetric && flavour == Flavour::dominant) {
        continue;
      }
      const SparseMatrix<S> matrix = testing::random_matrix<S>(200, 4, symmetry, flavour, 1);
      const auto analysis = analyze(matrix);
      const SystemReport all = Factorization<S>(analysis, matrix).report();
      for (const int num_threads : {1, 2}) {
        SCOPED_TRACE(::testing::Message() << to_string(symmetry) << ", flavour " << static_cast<int>(flavour) << ", threads "
                                          << num_threads);
        const SystemReport none = Factorization<S>(analysis.with_options(without_factors(num_threads)), matrix).report();
        EXPECT_EQ(test::report_bits(none.factorization), test::report_bits(all.factorization));
        EXPECT_EQ(none.notes, all.notes);
        EXPECT_EQ(none.factorization.factor_bytes, 0);
        EXPECT_LT(none.factorization.peak_bytes, all.factorization.peak_bytes);
      }
    }
  }
}

TYPED_TEST(KeptFactorsSolverTest, SchurComplementIsTheSameBits) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const SparseMatrix<S> matrix = testing::random_matrix<S>(200, 4, symmetry, Flavour::zero_diagonal, 1);
    SolverOptions options = without_factors();
    options.analysis.schur_variables = {10, 11, 40, 41};
    const auto analysis = analyze(matrix, options);
    const Factorization<S> none(analysis.with_options(options), matrix);
    options.factorization.kept = KeptFactors::all;
    const Factorization<S> all(analysis.with_options(options), matrix);
    EXPECT_EQ(none.schur_complement().values, all.schur_complement().values);
    DenseMatrix<S> b(200, 1);
    DenseMatrix<S> condensed(4, 1);
    expect_usage_error("condense", [&] { none.condense(view_of(b), view_of(condensed)); });
    expect_usage_error("expand", [&] { none.expand(view_of(b), view_of(condensed), view_of(b)); });
    expect_usage_error("solve", [&] { (void)none.solve(view_of(b), view_of(b)); });
  }
}

TYPED_TEST(KeptFactorsSolverTest, WhatNeedsFactorsIsRefused) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(20, 4, Symmetry::general, Flavour::dominant, 1);
  const auto analysis = analyze(matrix);
  const Factorization<S> none(analysis.with_options(without_factors()), matrix);
  DenseMatrix<S> x(20, 20);
  expect_usage_error("solve", [&] { (void)none.solve(view_of(x), view_of(x)); });
  expect_usage_error("solve_sparse", [&] { (void)none.solve_sparse(matrix.view(), view_of(x)); });
  expect_usage_error("inverse_entries", [&] { (void)none.inverse_diagonal(); });
  expect_usage_error("null_space", [&] { (void)none.null_space(); });
  expect_usage_error("solve_part", [&] { none.solve_part(FactorPart::lower, Operation::plain, view_of(x)); });
  expect_usage_error("factor_order", [&] { (void)none.factor_order(); });
  expect_usage_error("save", [&] { none.save("no.factors"); });
  SolverOptions half;
  half.factorization.kept = KeptFactors::backward;
  expect_usage_error("half of the factors", [&] { const Factorization<S> refused(analysis.with_options(half), matrix); });
}

TEST(KeptFactorsSolver, RefusesMixedPrecision) {
  const SparseMatrix<double> matrix = testing::random_matrix<double>(20, 4, Symmetry::general, Flavour::dominant, 1);
  SolverOptions options = without_factors();
  options.precision = Precision::mixed;
  EXPECT_THROW(Factorization<double>(analyze(matrix, options), matrix), UsageError);
}

// A pivot of 1e-10 in a matrix that is not singular. The factors are kept until that is proved, and then released.
TEST(KeptFactorsSolver, SettlesByTheConditionWhatSmallPivotsLeaveOpen) {
  Triplets<double> entries{.num_rows = 3, .num_cols = 3, .symmetry = Symmetry::general};
  entries.add(0, 0, 1);
  entries.add(1, 1, 1);
  entries.add(2, 2, 1 + 1e-10);
  entries.add(1, 2, 1);
  entries.add(2, 1, 1);
  const SparseMatrix<double> matrix = compress(std::move(entries));
  const SystemReport report = Factorization<double>(analyze(matrix, without_factors()), matrix).report();
  EXPECT_EQ(report.factorization.status, FactorizationStatus::success);
  EXPECT_TRUE(report.notes.empty());
  EXPECT_EQ(report.rank.status, RankVerdict::nonsingular);
  EXPECT_LT(report.rank.number, 1e-2);
  EXPECT_NEAR(report.equilibrated_condition, 4e10, 2e10);
  EXPECT_EQ(report.factorization.factor_bytes, 0);
}

}  // namespace
}  // namespace frond
