// SPDX-License-Identifier: BSD-3-Clause
// Tests linear systems from analysis to verdict, against the dense oracle.
#include "frond/factorization.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "solver/course/analyze_system.hpp"
#include "tests/support/matrices/expect_solves.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/observers.hpp"

namespace frond {
namespace {

using testing::Flavour;
using testing::from_triplets;

template <class S>
class SystemsOf : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SystemsOf, Scalars);

// Exchanging two rows flips the sign.
TYPED_TEST(SystemsOf, DeterminantsHaveTheSignOfTheMatching) {
  using S = TypeParam;
  SolverOptions options;
  options.analysis.ordering.matching = Use::always;
  const auto exchanged = from_triplets<S>(3, Symmetry::general, {1, 0, 2}, {0, 1, 2}, {2, 3, 5});
  const Factorization<S> factorization(analyze(exchanged, options), exchanged);
  EXPECT_EQ(factorization.analysis().parts().symbolic->row_of_column(), (std::vector<Index>{1, 0, 2}));
  EXPECT_EQ(factorization.report().factorization.determinant, Determinant(-30.0));
}

// A matching is computed for the values of the analysis, but remains valid for others.
TYPED_TEST(SystemsOf, OtherValuesAfterAMatching) {
  using S = TypeParam;
  SolverOptions options;
  options.analysis.ordering.matching = Use::always;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    SparseMatrix<S> matrix = testing::random_matrix<S>(90, 3, symmetry, Flavour::zero_diagonal, 1);
    const auto analysis = analyze(matrix, options);
    ASSERT_NE(analysis.parts().symbolic->ordering().matching, MatchingKind::none);
    matrix.values = testing::random_dense<S>(static_cast<Index>(matrix.num_entries()), 1, 9).values;
    testing::expect_solves(Factorization<S>(analysis, matrix), matrix, Operation::plain, 2);
  }
}

// The reported variable is a row of the matrix as given.
TEST(Factorization, NamesTheRowWithoutAPivotAfterAMatching) {
  SolverOptions options;
  options.analysis.ordering.matching = Use::always;
  // rows 1, 0, 2 have the large entries of columns 0, 1, 3; row 3 and column 2 are zero
  const auto singular = from_triplets<double>(4, Symmetry::general, {1, 0, 2, 0}, {0, 1, 3, 3}, {4, 4, 4, 1});
  const Factorization<double> factorization(analyze(singular, options), singular);
  EXPECT_EQ(factorization.report().factorization.null_pivots, std::vector<Index>{3});
  EXPECT_EQ(factorization.report().factorization.determinant, Determinant(0));
  DenseMatrix<double> x(4, 1);
  DenseMatrix<double> b(4, 1);
  b.values = {11, 4, 12, 0};
  EXPECT_EQ(factorization.solve(view_of(std::as_const(b)), view_of(x)).verdict, Verdict::singular);
  EXPECT_EQ(x.values, (std::vector<double>{1, 2, 0, 3}));
}

// The caller may free the offsets: they have been copied.
TYPED_TEST(SystemsOf, OffsetsOf32Bits) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(60, 3, Symmetry::general, Flavour::dominant, 6);
  const auto b = testing::random_dense<S>(60, 1, 7);
  for (const bool by_rows : {false, true}) {
    const SystemMatrix<S> system = [&] {
      const std::vector<std::int32_t> offsets(matrix.column_offsets.begin(), matrix.column_offsets.end());
      return by_rows ? compressed_rows<S>(60, offsets, matrix.row_indices, matrix.values)
                     : compressed_columns<S>(60, offsets, matrix.row_indices, matrix.values);
    }();
    const SystemMatrix<S> expected(matrix.view(), by_rows);
    std::vector<S> x(60);
    std::vector<S> y(60);
    (void)Factorization<S>(analyze(system), system).solve(b.values, x);
    (void)Factorization<S>(analyze(expected), expected).solve(b.values, y);
    EXPECT_EQ(x, y);
  }
}

TYPED_TEST(SystemsOf, NullPivotsGiveZerosAndTheConsistentRest) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    // [4 0 1; 0 0 0; 1 0 4]
    const auto matrix = symmetry == Symmetry::general
                            ? from_triplets<S>(3, symmetry, {0, 2, 1, 0, 2}, {0, 0, 1, 2, 2}, {S(4), S(1), S(0), S(1), S(4)})
                            : from_triplets<S>(3, symmetry, {0, 2, 1, 2}, {0, 0, 1, 2}, {S(4), S(1), S(0), S(4)});
    const Factorization<S> factorization(analyze(matrix), matrix);
    const std::vector<S> b{S(5), S(0), S(5)};
    std::vector<S> x(3);
    const SolveReport report = factorization.solve(b, x);
    EXPECT_EQ(report.verdict, Verdict::singular);
    EXPECT_EQ(factorization.report().factorization.determinant, Determinant(0));
    EXPECT_EQ(report.null_pivots, std::vector<Index>{1});
    EXPECT_EQ(x[1], S(0));
    EXPECT_LT(std::abs(x[0] - S(1)) + std::abs(x[2] - S(1)), 1e-5);
  }
}

TYPED_TEST(SystemsOf, ExtremeMagnitudes) {
  using S = TypeParam;
  const RealOf<S> large = std::is_same_v<RealOf<S>, float> ? RealOf<S>(1e30f) : RealOf<S>(1e300);
  const auto matrix = from_triplets<S>(3, Symmetry::general, {0, 1, 2, 2}, {0, 1, 0, 2}, {S(large), S(1 / large), S(1), S(1)});
  const std::vector<S> b{S(large), S(2 / large), S(4)};
  std::vector<S> x(3);
  const SolveReport report = Factorization<S>(analyze(matrix), matrix).solve(b, x);
  EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
  EXPECT_LT(std::abs(x[0] - S(1)) + std::abs(x[1] - S(2)) + std::abs(x[2] - S(3)), 1e-5);
}

TEST(Factorization, FallsBackFromCholeskyWithANote) {
  const auto indefinite = from_triplets<double>(2, Symmetry::symmetric, {0, 1, 1}, {0, 0, 1}, {1, 3, 1});
  const Factorization<double> factorization(analyze(indefinite), indefinite);
  EXPECT_EQ(factorization.report().method, Method::ldlt);
  ASSERT_EQ(factorization.report().notes.size(), 1u);
  EXPECT_NE(factorization.report().notes[0].find("not positive definite"), std::string::npos);
  testing::expect_solves(factorization, indefinite, Operation::plain, 1);
}

TEST(Factorization, SaysNotPositiveDefiniteWhenCholeskyIsForced) {
  const auto indefinite = from_triplets<double>(2, Symmetry::symmetric, {0, 1, 1}, {0, 0, 1}, {1, 3, 1});
  const SolverOptions options{.method = Method::cholesky};
  std::vector<double> x(2);
  const SolveReport report = Factorization<double>(analyze(indefinite, options), indefinite).solve(std::vector<double>{1, 2}, x);
  EXPECT_EQ(report.verdict, Verdict::not_positive_definite);
  EXPECT_FALSE(report.null_pivots.empty());
  EXPECT_TRUE(report.columns.empty());
  EXPECT_TRUE(std::isnan(x[0]) && std::isnan(x[1]));
}

// [0 B; B^T 0] with a dense B of 10 columns has rank 20; entries grow during the elimination.
TEST(Factorization, TellsTheRankOfMatricesThatAreFarFromFull) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    SCOPED_TRACE(seed);
    const DenseMatrix<double> b = testing::random_dense<double>(190, 10, seed);
    Triplets<double> symmetric{200, 200, Symmetry::symmetric};
    Triplets<double> general{200, 200};
    for (Index i = 0; i < 190; ++i) {
      for (Index j = 0; j < 10; ++j) {
        const double value = std::round(8 * b(i, j));
        if (value != 0) {
          symmetric.add(10 + i, j, value);
          general.add(10 + i, j, value);
          general.add(j, 10 + i, 3 * value);
        }
      }
    }
    const auto ldlt = compress(std::move(symmetric));
    const Factorization<double> by_ldlt(analyze(ldlt), ldlt);
    EXPECT_EQ(by_ldlt.report().factorization.status, FactorizationStatus::singular);
    EXPECT_EQ(by_ldlt.report().factorization.inertia.positive, 10);
    EXPECT_EQ(by_ldlt.report().factorization.inertia.negative, 10);
    EXPECT_EQ(by_ldlt.report().factorization.inertia.zero, 180);
    const auto lu = compress(std::move(general));
    const Factorization<double> by_lu(analyze(lu), lu);
    EXPECT_EQ(by_lu.report().factorization.null_pivots.size(), 180U);
    EXPECT_TRUE(by_lu.report().rank.is_certain());
    EXPECT_EQ(by_lu.report().rank.lowest, 20);
  }
}

// Safer pivoting delays more pivots, so that a memory limit may suffice for the first factorization only: no other one is needed
// where the structure proves the rank.
TEST(Factorization, NeedsNoMoreMemoryForARankThatTheStructureProves) {
  Triplets<double> entries{602, 602, Symmetry::symmetric};  // two variables remain without entries
  const auto matrix = testing::random_matrix<double>(600, 4, Symmetry::symmetric, Flavour::zero_diagonal, 3);
  testing::for_each_entry(matrix, [&](Index i, Index j, double value) { entries.add(i, j, value); });
  const auto singular = compress(std::move(entries));
  SolverOptions options;
  options.factorization.num_threads = 1;
  options.analysis.ordering.matching = Use::never;
  const auto analysis = analyze(singular, options);
  const auto factorize_within = [&](Count limit, PivotingOptions pivoting) {
    SolverOptions limited = options;
    limited.factorization.memory_limit = limit;
    limited.factorization.pivoting = pivoting;
    return Factorization<double>(analysis.with_options(limited), singular).report();
  };
  const Count first = factorize_within(0, {.null_threshold = 1e-13}).factorization.peak_bytes;
  const Count second = factorize_within(0, {.pivot_threshold = 0.5}).factorization.peak_bytes;
  ASSERT_GT(second, first + 1000) << "otherwise this test shows nothing";
  const SystemReport report = factorize_within((first + second) / 2, {});
  EXPECT_EQ(report.factorization.null_pivots, (std::vector<Index>{600, 601}));
  EXPECT_TRUE(report.notes.empty());
  EXPECT_EQ(report.rank.status, RankVerdict::structural);
}

TEST(Factorization, LeavesTheRankToThoseWhoChooseThePivots) {
  const auto matrix = from_triplets<double>(3, Symmetry::general, {0, 2}, {0, 2}, {1, 1});
  SolverOptions options;
  options.factorization.pivoting.pivot_threshold = 0.5;
  EXPECT_TRUE(Factorization<double>(analyze(matrix, options), matrix).report().notes.empty());
  options.factorization.pivoting = {.pivot_threshold = 0.1, .null_threshold = 1e-3};
  EXPECT_TRUE(Factorization<double>(analyze(matrix, options), matrix).report().notes.empty());
}

TEST(Factorization, SaysSoWhenTheTargetIsMissed) {
  // [e 0 1; 0 1 1; 1 1 1]: the tiny pivot e, in a front of its own, loses digits of the last equation
  const auto arrow =
      from_triplets<double>(3, Symmetry::general, {0, 2, 1, 2, 0, 1, 2}, {0, 0, 1, 1, 2, 2, 2}, {3e-12, 1, 1, 1, 1, 1, 1});
  SolverOptions careless;
  careless.analysis.ordering.kind = OrderingKind::natural;
  careless.analysis.amalgamate = false;
  careless.scaling = ScalingKind::none;
  careless.factorization.pivoting.pivot_threshold = 0;
  careless.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  const std::vector<double> b{1.1, 2.3, 5.7};
  std::vector<double> x(3);
  const SolveReport missed = Factorization<double>(analyze(arrow, careless), arrow).solve(b, x);
  EXPECT_EQ(missed.verdict, Verdict::accuracy_missed) << missed.describe();
  EXPECT_GT(missed.worst().normwise_backward_error, 1e-10);
  const SolveReport met = Factorization<double>(analyze(arrow), arrow).solve(b, x);
  EXPECT_EQ(met.verdict, Verdict::solved) << met.describe();
}

TEST(Factorization, RefinesAsItIsAsked) {
  const SparseMatrix<double> matrix = testing::random_matrix<double>(120, 4, Symmetry::general, Flavour::dominant, 17);
  int num_told = 0;
  const auto observer = std::make_shared<testing::Calls>(&testing::Calls::step, [&](int /*step*/) { ++num_told; });
  Factorization<double> factorization(analyze(matrix, {.observer = observer}), matrix);
  const DenseMatrix<double> b = testing::random_dense<double>(120, 1, 4);
  DenseMatrix<double> x(120, 1);
  factorization.set_solve_options({.max_steps = 1, .target = 1e-30}, ErrorBounds::first_column);
  EXPECT_GT(factorization.solve(view_of(b), view_of(x)).columns.front().forward_error_bound, 0);
  EXPECT_EQ(num_told, 1);
  factorization.set_solve_options({.max_steps = 0}, ErrorBounds::never);
  const SolveReport report = factorization.solve(view_of(b), view_of(x));
  EXPECT_EQ(report.columns.front().refinement_steps, 0);
  EXPECT_TRUE(std::isnan(report.columns.front().forward_error_bound));
}

TEST(Factorization, RespectsLeadingDimensions) {
  const auto matrix = testing::random_matrix<double>(30, 3, Symmetry::symmetric, Flavour::dominant, 11);
  const Factorization<double> factorization(analyze(matrix), matrix);
  const DenseMatrix<double> b = testing::random_dense<double>(37, 4, 12);
  DenseMatrix<double> x(41, 4);
  std::fill(x.values.begin(), x.values.end(), -1.0);
  DenseMatrix<double> packed_b(30, 4);
  DenseMatrix<double> packed_x(30, 4);
  for (Index j = 0; j < 4; ++j) {
    std::copy_n(b.column(j).begin(), 30, packed_b.column(j).begin());
  }
  EXPECT_EQ(factorization.solve({b.values.data(), 30, 4, 37}, {x.values.data(), 30, 4, 41}).verdict, Verdict::solved);
  EXPECT_EQ(factorization.solve(view_of(packed_b), view_of(packed_x)).verdict, Verdict::solved);
  for (Index j = 0; j < 4; ++j) {
    EXPECT_TRUE(std::equal(packed_x.column(j).begin(), packed_x.column(j).end(), x.column(j).begin()));
    EXPECT_EQ(x(30, j), -1) << "written beyond the rows";
  }
}

TEST(Factorization, SolvesForestsAndDiagonals) {
  auto triplets = Triplets<double>{200, 200, Symmetry::symmetric, {}, {}, {}};
  for (Index i = 0; i < 200; ++i) {
    triplets.add(i, i, i % 3 == 0 ? -2.0 : 5.0);
    if (i % 10 != 9 && i < 100) {
      triplets.add(i + 1, i, 1.0);
    }
  }
  const auto forest = compress(triplets);
  const Factorization<double> factorization(analyze(forest), forest);
  EXPECT_GT(factorization.analysis().parts().symbolic->tree().roots().size(), 10u);
  testing::expect_solves(factorization, forest, Operation::plain, 3);
}

}  // namespace
}  // namespace frond
