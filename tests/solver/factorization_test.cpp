// SPDX-License-Identifier: BSD-3-Clause
// Linear systems from analysis to verdict, judged by the dense oracle.
#include "solver/factorization.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "matrices/build.hpp"
#include "matrices/error.hpp"
#include "matrices/generate.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/dense_determinant.hpp"

namespace frond {
namespace {

using testing::Flavour;

template <Scalar S>
constexpr double kTolerance = 20 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

template <Scalar S>
SparseMatrix<S> from_triplets(Index order, Symmetry symmetry, std::vector<Index> rows, std::vector<Index> cols,
                              std::vector<S> values) {
  return compress(Triplets<S>{order, order, symmetry, std::move(rows), std::move(cols), std::move(values)});
}

// Solves op(A) X = B for random B and returns the report; the oracle's verdict must be as good as the solver's.
template <Scalar S>
SolveReport solve_and_check(const SparseMatrix<S>& matrix, const Factorization<S>& factorization, Operation operation,
                            Index num_rhs) {
  const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, num_rhs, 21);
  DenseMatrix<S> x(matrix.num_rows, num_rhs);
  SolveReport report = factorization.solve(view_of(b), view_of(x), operation);
  EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
  EXPECT_EQ(report.columns.size(), static_cast<std::size_t>(num_rhs));
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), x, b), kTolerance<S>);
  return report;
}

constexpr Operation kOperations[] = {Operation::plain, Operation::transposed, Operation::adjoint};

template <class S>
class SystemsOf : public ::testing::Test {
 protected:
  void solve_all_ways(const SparseMatrix<S>& matrix, Method expected, SolverOptions options = {}) {
    for (const MatchingUse matching : {MatchingUse::never, MatchingUse::always}) {
      SCOPED_TRACE(matching == MatchingUse::always ? "with a matching" : "without a matching");
      options.analysis.ordering.matching = matching;
      solve_with_all_operations(matrix, expected, options);
    }
  }

  void solve_with_all_operations(const SparseMatrix<S>& matrix, Method expected, const SolverOptions& options) {
    const Factorization<S> factorization(analyze(matrix, options), matrix, options);
    EXPECT_EQ(to_string(factorization.report().method), to_string(expected));
    const test::DenseDeterminant determinant = test::dense_determinant(testing::dense(matrix));
    EXPECT_LE(test::relative_difference(factorization.report().factorization.determinant, determinant.value),
              determinant.tolerance);
    for (const Operation operation : kOperations) {
      for (const Index num_rhs : {1, 5, 70}) {
        SCOPED_TRACE(::testing::Message() << "operation " << static_cast<int>(operation) << " rhs " << num_rhs);
        (void)solve_and_check(matrix, factorization, operation, num_rhs);
      }
    }
  }
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SystemsOf, Scalars);

TYPED_TEST(SystemsOf, GeneralMatrices) {
  using S = TypeParam;
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
    this->solve_all_ways(testing::random_matrix<S>(90, 3, Symmetry::general, flavour, 1), Method::lu);
  }
}

TYPED_TEST(SystemsOf, MatchedRows) {
  using S = TypeParam;
  SolverOptions options;
  options.analysis.ordering.matching = MatchingUse::always;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::skew_symmetric}) {
    const auto matrix = testing::random_matrix<S>(90, 3, symmetry, Flavour::zero_diagonal, 1);
    EXPECT_EQ(analyze(matrix, options)->ordering().matching, MatchingKind::rows);
  }
  const auto matrix = testing::random_matrix<S>(90, 3, Symmetry::symmetric, Flavour::zero_diagonal, 1);
  EXPECT_EQ(analyze(matrix, options)->ordering().matching, MatchingKind::pairs);
}

// An exchange of two rows is odd.
TYPED_TEST(SystemsOf, DeterminantsHaveTheSignOfTheMatching) {
  using S = TypeParam;
  SolverOptions options;
  options.analysis.ordering.matching = MatchingUse::always;
  const auto exchanged = from_triplets<S>(3, Symmetry::general, {1, 0, 2}, {0, 1, 2}, {2, 3, 5});
  const Factorization<S> factorization(analyze(exchanged, options), exchanged, options);
  EXPECT_EQ(factorization.symbolic().row_of_column(), (std::vector<Index>{1, 0, 2}));
  EXPECT_EQ(factorization.report().factorization.determinant, Determinant(-30.0));
}

// A matching is made for the values of the analysis, and is right for others.
TYPED_TEST(SystemsOf, OtherValuesAfterAMatching) {
  using S = TypeParam;
  SolverOptions options;
  options.analysis.ordering.matching = MatchingUse::always;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    SparseMatrix<S> matrix = testing::random_matrix<S>(90, 3, symmetry, Flavour::zero_diagonal, 1);
    const auto symbolic = analyze(matrix, options);
    ASSERT_NE(symbolic->ordering().matching, MatchingKind::none);
    matrix.values = testing::random_dense<S>(static_cast<Index>(matrix.num_entries()), 1, 9).values;
    (void)solve_and_check(matrix, Factorization<S>(symbolic, matrix, options), Operation::plain, 2);
  }
}

// The variable that is named is a row of the matrix as it was given.
TEST(Factorization, NamesTheRowWithoutAPivotAfterAMatching) {
  SolverOptions options;
  options.analysis.ordering.matching = MatchingUse::always;
  // rows 1, 0, 2 have the large entries of columns 0, 1, 3; row 3 and column 2 are zero
  const auto singular = from_triplets<double>(4, Symmetry::general, {1, 0, 2, 0}, {0, 1, 3, 3}, {4, 4, 4, 1});
  const Factorization<double> factorization(analyze(singular, options), singular, options);
  EXPECT_EQ(factorization.report().factorization.null_pivots, std::vector<Index>{3});
  EXPECT_EQ(factorization.report().factorization.determinant, Determinant(0));
  DenseMatrix<double> x(4, 1);
  DenseMatrix<double> b(4, 1);
  b.values = {11, 4, 12, 0};
  EXPECT_EQ(factorization.solve(view_of(std::as_const(b)), view_of(x)).verdict, Verdict::singular);
  EXPECT_EQ(x.values, (std::vector<double>{1, 2, 0, 3}));
}

TYPED_TEST(SystemsOf, PositiveDefiniteMatrices) {
  using S = TypeParam;
  const auto matrix =
      testing::random_matrix<S>(90, 3, kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric, Flavour::dominant, 2);
  this->solve_all_ways(matrix, Method::cholesky);
  this->solve_all_ways(matrix, kIsComplex<S> ? Method::ldlh : Method::ldlt,
                       {.method = kIsComplex<S> ? Method::ldlh : Method::ldlt});
  this->solve_all_ways(matrix, Method::lu, {.method = Method::lu});
}

TYPED_TEST(SystemsOf, SymmetricIndefiniteMatrices) {
  using S = TypeParam;
  this->solve_all_ways(testing::random_matrix<S>(90, 3, Symmetry::symmetric, Flavour::zero_diagonal, 3), Method::ldlt);
  this->solve_all_ways(testing::random_matrix<S>(90, 3, Symmetry::symmetric, Flavour::graded, 3), Method::ldlt);
}

TYPED_TEST(SystemsOf, HermitianIndefiniteMatrices) {
  using S = TypeParam;
  const Method expected = kIsComplex<S> ? Method::ldlh : Method::ldlt;
  this->solve_all_ways(testing::random_matrix<S>(90, 3, Symmetry::hermitian, Flavour::zero_diagonal, 4), expected);
  this->solve_all_ways(testing::random_matrix<S>(90, 3, Symmetry::hermitian, Flavour::graded, 4), expected);
}

TYPED_TEST(SystemsOf, SkewSymmetricMatrices) {
  using S = TypeParam;
  this->solve_all_ways(testing::random_matrix<S>(90, 3, Symmetry::skew_symmetric, Flavour::dominant, 5), Method::lu);
}

// The arrays of compressed columns of A, read as compressed rows, are A^T.
TYPED_TEST(SystemsOf, CompressedRows) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian, Symmetry::skew_symmetric}) {
    const auto matrix = testing::random_matrix<S>(60, 3, symmetry, Flavour::zero_diagonal, 6);
    const auto rows = compressed_rows<S>(60, matrix.column_offsets, matrix.row_indices, matrix.values, symmetry);
    EXPECT_EQ(rows.stored.values.data(), matrix.values.data());
    const Factorization<S> factorization(analyze(rows), rows);
    const DenseMatrix<S> b = testing::random_dense<S>(60, 2, 7);
    const auto transposed_of = [&](Operation operation) {  // op(A^T), entry by entry
      DenseMatrix<S> a = testing::dense(matrix, operation == Operation::plain ? Operation::transposed : Operation::plain);
      if (operation == Operation::adjoint) {
        std::transform(a.values.begin(), a.values.end(), a.values.begin(), [](S value) { return conjugate(value); });
      }
      return a;
    };
    for (const Operation operation : kOperations) {
      DenseMatrix<S> x(60, 2);
      const SolveReport report = factorization.solve(view_of(b), view_of(x), operation);
      EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
      EXPECT_LE(testing::dense_backward_error(transposed_of(operation), x, b), kTolerance<S>);
    }
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

TYPED_TEST(SystemsOf, OfOrderZeroAndOne) {
  using S = TypeParam;
  const SparseMatrix<S> nothing;
  const Factorization<S> empty(analyze(nothing), nothing);
  EXPECT_EQ(empty.solve(std::span<const S>(), std::span<S>()).verdict, Verdict::solved);
  const auto one = from_triplets<S>(1, Symmetry::general, {0}, {0}, {S(4)});
  std::vector<S> x(1);
  EXPECT_EQ(Factorization<S>(analyze(one), one).solve(std::vector<S>{S(2)}, x).verdict, Verdict::solved);
  EXPECT_EQ(x[0], S(0.5));
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

using Complex = std::complex<double>;

TEST(Factorization, DelaysPivotsWhereItMust) {
  const auto saddle = testing::random_matrix<double>(300, 3, Symmetry::symmetric, Flavour::zero_diagonal, 9);
  const Factorization<double> ldlt(analyze(saddle), saddle);
  EXPECT_GT(ldlt.report().factorization.num_delayed_pivots, 0);
  (void)solve_and_check(saddle, ldlt, Operation::plain, 3);
  const auto general = testing::random_matrix<Complex>(300, 3, Symmetry::general, Flavour::zero_diagonal, 9);
  const Factorization<Complex> lu(analyze(general), general);
  EXPECT_GT(lu.report().factorization.num_delayed_pivots, 0);
  for (const Operation operation : kOperations) {
    (void)solve_and_check(general, lu, operation, 3);
  }
}

TEST(Factorization, FallsBackFromCholeskyWithANote) {
  const auto indefinite = from_triplets<double>(2, Symmetry::symmetric, {0, 1, 1}, {0, 0, 1}, {1, 3, 1});
  const Factorization<double> factorization(analyze(indefinite), indefinite);
  EXPECT_EQ(factorization.report().method, Method::ldlt);
  ASSERT_EQ(factorization.report().notes.size(), 1u);
  EXPECT_NE(factorization.report().notes[0].find("not positive definite"), std::string::npos);
  (void)solve_and_check(indefinite, factorization, Operation::plain, 1);
}

TEST(Factorization, SaysNotPositiveDefiniteWhenCholeskyIsForced) {
  const auto indefinite = from_triplets<double>(2, Symmetry::symmetric, {0, 1, 1}, {0, 0, 1}, {1, 3, 1});
  const SolverOptions options{.method = Method::cholesky};
  std::vector<double> x(2);
  const SolveReport report =
      Factorization<double>(analyze(indefinite, options), indefinite, options).solve(std::vector<double>{1, 2}, x);
  EXPECT_EQ(report.verdict, Verdict::not_positive_definite);
  EXPECT_FALSE(report.null_pivots.empty());
  EXPECT_TRUE(report.columns.empty());
  EXPECT_TRUE(std::isnan(x[0]) && std::isnan(x[1]));
}

// [0 B; B^T 0] with a dense B of 10 columns has rank 20; entries grow on the way there.
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

// Cholesky has no safer pivots, and fails where a null pivot is looked for: LDLT shows it. [1 1-d; 1-d 1] has the pivots 1 and
// about 2 d; its null vector (1, -1) meets both equations to d / 2.
TYPED_TEST(SystemsOf, SettleTheRankOfCholeskyByAnother) {
  using S = TypeParam;
  const auto d = 15 * std::numeric_limits<RealOf<S>>::epsilon();
  const auto matrix = from_triplets<S>(2, Symmetry::hermitian, {0, 1, 1}, {0, 0, 1}, {1, 1 - d, 1});
  SolverOptions options;
  const Factorization<S> automatic(analyze(matrix, options), matrix, options);
  EXPECT_EQ(automatic.report().factorization.status, FactorizationStatus::singular);
  EXPECT_EQ(automatic.report().method, kIsComplex<S> ? Method::ldlh : Method::ldlt);
  EXPECT_EQ(automatic.report().factorization.inertia.zero, 1);
  EXPECT_EQ(automatic.report().rank.status, RankVerdict::singular);
  EXPECT_NE(automatic.report().notes.back().find("factorized once more"), std::string::npos) << automatic.report().notes.back();
  options.method = Method::cholesky;
  const Factorization<S> by_cholesky(analyze(matrix, options), matrix, options);
  EXPECT_EQ(by_cholesky.report().factorization.status, FactorizationStatus::singular);
  EXPECT_EQ(by_cholesky.report().rank.highest, 1);
  EXPECT_TRUE(by_cholesky.report().is_singular_by_condition);
  EXPECT_EQ(by_cholesky.report().method, Method::cholesky);
  EXPECT_GT(by_cholesky.report().equilibrated_condition * d, 1);
}

// With safer pivots more of them are delayed, so that a limit can suffice for the first factorization only: no other is needed
// where the structure is proof.
TEST(Factorization, NeedsNoMoreMemoryForARankThatTheStructureProves) {
  Triplets<double> entries{602, 602, Symmetry::symmetric};  // with two variables on which nothing depends
  const auto matrix = testing::random_matrix<double>(600, 4, Symmetry::symmetric, Flavour::zero_diagonal, 3);
  for (Index j = 0; j < 600; ++j) {
    for (auto k = static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j)]);
         k < static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
      entries.add(matrix.row_indices[k], j, matrix.values[k]);
    }
  }
  const auto singular = compress(std::move(entries));
  SolverOptions options;
  options.factorization.num_threads = 1;
  options.analysis.ordering.matching = MatchingUse::never;
  const auto symbolic = analyze(singular, options);
  const auto factorize_within = [&](Count limit, PivotingOptions pivoting) {
    SolverOptions limited = options;
    limited.factorization.memory_limit = limit;
    limited.factorization.pivoting = pivoting;
    return Factorization<double>(symbolic, singular, limited).report();
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
  EXPECT_TRUE(Factorization<double>(analyze(matrix), matrix, options).report().notes.empty());
  options.factorization.pivoting = {.pivot_threshold = 0.1, .null_threshold = 1e-3};
  EXPECT_TRUE(Factorization<double>(analyze(matrix), matrix, options).report().notes.empty());
}

TEST(Factorization, SaysSoWhenTheTargetIsMissed) {
  // [e 0 1; 0 1 1; 1 1 1]: taking the tiny e, a front of its own, as a pivot loses digits of the last equation
  const auto arrow =
      from_triplets<double>(3, Symmetry::general, {0, 2, 1, 2, 0, 1, 2}, {0, 0, 1, 1, 2, 2, 2}, {3e-12, 1, 1, 1, 1, 1, 1});
  SolverOptions careless;
  careless.analysis.ordering.kind = OrderingKind::natural;
  careless.analysis.amalgamation.enabled = false;
  careless.scaling.kind = ScalingKind::none;
  careless.factorization.pivoting.pivot_threshold = 0;
  careless.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  const std::vector<double> b{1.1, 2.3, 5.7};
  std::vector<double> x(3);
  const SolveReport missed = Factorization<double>(analyze(arrow, careless), arrow, careless).solve(b, x);
  EXPECT_EQ(missed.verdict, Verdict::accuracy_missed) << missed.describe();
  EXPECT_GT(missed.worst().normwise_backward_error, 1e-10);
  const SolveReport met = Factorization<double>(analyze(arrow), arrow).solve(b, x);
  EXPECT_EQ(met.verdict, Verdict::solved) << met.describe();
}

TEST(Factorization, AnswersZeroByZero) {
  const auto matrix = testing::random_matrix<double>(50, 3, Symmetry::general, Flavour::zero_diagonal, 10);
  const Factorization<double> factorization(analyze(matrix), matrix);
  const std::vector<double> b(50);
  std::vector<double> x(50, 7);
  const SolveReport report = factorization.solve(b, x);
  EXPECT_EQ(report.verdict, Verdict::solved);
  EXPECT_EQ(x, b);
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

TEST(Factorization, TakesOtherValuesOfTheSamePattern) {
  auto matrix = testing::random_matrix<double>(60, 3, Symmetry::general, Flavour::dominant, 13);
  const auto symbolic = analyze(matrix);
  for (int round = 0; round < 3; ++round) {
    std::transform(matrix.values.begin(), matrix.values.end(), matrix.values.begin(),
                   [](double value) { return value * value - 0.3; });
    const Factorization<double> factorization(symbolic, matrix);
    (void)solve_and_check(matrix, factorization, Operation::plain, 2);
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
  EXPECT_GT(factorization.symbolic().tree().roots().size(), 10u);
  (void)solve_and_check(forest, factorization, Operation::plain, 3);
}

TEST(Factorization, CountsTheRank) {
  // a block of ones of order 10 has rank 1
  Triplets<double> triplets{10, 10, Symmetry::general, {}, {}, {}};
  for (Index k = 0; k < 100; ++k) {
    triplets.add(k % 10, k / 10, 1.0);
  }
  const auto ones = compress(triplets);
  const std::vector<double> b(10, 10.0);
  std::vector<double> x(10);
  const SolveReport report = Factorization<double>(analyze(ones), ones).solve(b, x);
  EXPECT_EQ(report.verdict, Verdict::singular);
  EXPECT_EQ(report.num_null_pivots(), 9);
  EXPECT_LE(report.worst().normwise_backward_error, 1e-15) << "the system is consistent";
}

TEST(Factorization, NamesValuesThatAreNotFinite) {
  auto matrix = testing::random_matrix<double>(20, 2, Symmetry::general, Flavour::dominant, 14);
  const auto symbolic = analyze(matrix);
  matrix.values[static_cast<std::size_t>(matrix.column_offsets[7])] = std::numeric_limits<double>::quiet_NaN();
  const Index row = matrix.row_indices[static_cast<std::size_t>(matrix.column_offsets[7])];
  try {
    const Factorization<double> factorization(symbolic, matrix);
    FAIL() << "NaN was accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("row " + std::to_string(row) + ", column 7"), std::string::npos) << error.what();
  }
}

TEST(Factorization, RefusesAnImaginaryDiagonalOfAHermitianMatrix) {
  const auto matrix = from_triplets<Complex>(1, Symmetry::hermitian, {0}, {0}, {Complex(1, 1)});
  EXPECT_THROW((void)analyze(matrix), UsageError);
}

TEST(Factorization, RefusesWhatDoesNotFit) {
  const auto matrix = testing::random_matrix<double>(20, 2, Symmetry::symmetric, Flavour::dominant, 15);
  const auto other = testing::random_matrix<double>(21, 2, Symmetry::symmetric, Flavour::dominant, 15);
  EXPECT_THROW((Factorization<double>(analyze(other), matrix)), UsageError);
  EXPECT_THROW((Factorization<double>(analyze(matrix), matrix, {.method = Method::lu})), UsageError) << "LU needs another analysis";
  EXPECT_THROW((void)choose_method<double>(matrix, {.method = Method::ldlh}), UsageError);
  EXPECT_THROW((void)choose_method<double>(expand_to_general(matrix.view()), {.method = Method::cholesky}), UsageError);
  const Factorization<double> factorization(analyze(matrix), matrix);
  std::vector<double> x(20);
  EXPECT_THROW((void)factorization.solve(std::vector<double>(19), x), UsageError);
  EXPECT_THROW((void)factorization.solve({x.data(), 20, 1, 20}, {x.data(), 20, 2, 20}), UsageError);
  EXPECT_THROW((void)factorization.solve({x.data(), 20, 1, 19}, {x.data(), 20, 1, 20}), UsageError);
  const std::vector<double> b(20, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW((void)factorization.solve(b, x), UsageError);
  const std::vector<Count> short_offsets{0, 1};
  EXPECT_THROW((void)analyze(compressed_columns<double>(3, short_offsets, matrix.row_indices, matrix.values)), UsageError);
}

TEST(Factorization, RefusesArraysThatAreNoMatrix) {
  const std::vector<double> ones{1, 1};
  const auto analyze_arrays = [&ones](const std::vector<Count>& offsets, const std::vector<Index>& rows,
                                      const SolverOptions& options) {
    (void)analyze(compressed_columns<double>(2, offsets, rows, ones, Symmetry::symmetric), options);
  };
  EXPECT_NO_THROW(analyze_arrays({0, 1, 2}, {0, 1}, {}));
  EXPECT_THROW(analyze_arrays({0, 1, 1}, {0}, {}), UsageError) << "more values than entries";
  EXPECT_THROW(analyze_arrays({0, 9, 2}, {0, 1}, {}), UsageError) << "offsets decrease";
  EXPECT_THROW(analyze_arrays({1, 1, 2}, {0, 1}, {}), UsageError) << "offsets start behind the first entry";
  for (const std::optional<Method>& method : {std::optional<Method>(), std::optional<Method>(Method::lu)}) {
    EXPECT_THROW(analyze_arrays({0, 1, 2}, {0, 1000000}, {.method = method}), UsageError) << "row outside of the matrix";
    EXPECT_THROW(analyze_arrays({0, 1, 2}, {0, -1}, {.method = method}), UsageError) << "negative row";
  }
}

TEST(Factorization, PassesTheMemoryLimitOn) {
  const auto matrix = testing::laplacian<double>(12);
  SolverOptions options;
  options.factorization.memory_limit = 10000;
  try {
    const Factorization<double> factorization(analyze(matrix), matrix, options);
    FAIL() << "the limit was ignored";
  } catch (const MemoryError& error) {
    EXPECT_GT(error.needed_bytes(), 10000);
    EXPECT_EQ(error.limit_bytes(), 10000);
  }
}

// The bits of solutions, for one right-hand side and for a block.
template <Scalar S>
std::vector<S> solutions(const SparseMatrix<S>& matrix, Method method, int num_threads) {
  SolverOptions options{.method = method};
  options.factorization.num_threads = num_threads;
  const Factorization<S> factorization(analyze(matrix, options), matrix, options);
  std::vector<S> all;
  for (const Index num_rhs : {1, 20}) {
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, num_rhs, 16);
    DenseMatrix<S> x(matrix.num_rows, num_rhs);
    (void)factorization.solve(view_of(b), view_of(x));
    all.insert(all.end(), x.values.begin(), x.values.end());
  }
  return all;
}

TEST(Factorization, GivesTheSameBitsForAnyNumberOfThreads) {
  const tbb::global_control eight(tbb::global_control::max_allowed_parallelism, 8);
  const auto matrix = testing::laplacian<double>(22);
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    const std::vector<double> expected = solutions(matrix, method, 1);
    for (const int num_threads : {2, 3, 8}) {
      EXPECT_EQ(solutions(matrix, method, num_threads), expected) << to_string(method) << " with " << num_threads << " threads";
    }
  }
}

TEST(Factorization, TwoSolversRunInTwoThreads) {
  const auto first = testing::laplacian<double>(14);
  const auto second = testing::random_matrix<Complex>(400, 3, Symmetry::general, Flavour::zero_diagonal, 17);
  const std::vector<double> expected_first = solutions(first, Method::cholesky, 2);
  const std::vector<Complex> expected_second = solutions(second, Method::lu, 2);
  for (int round = 0; round < 5; ++round) {
    std::vector<double> found_first;
    std::thread other([&] { found_first = solutions(first, Method::cholesky, 2); });
    const std::vector<Complex> found_second = solutions(second, Method::lu, 2);
    other.join();
    EXPECT_EQ(found_first, expected_first);
    EXPECT_EQ(found_second, expected_second);
  }
}

TEST(Factorization, IsSolvedWithByTwoThreadsAtOnce) {
  const auto matrix = testing::laplacian<double>(14);
  const Factorization<double> factorization(analyze(matrix), matrix);
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 2, 18);
  DenseMatrix<double> together(matrix.num_rows, 2);
  DenseMatrix<double> apart(matrix.num_rows, 2);
  (void)factorization.solve(b.column(0), together.column(0));
  (void)factorization.solve(b.column(1), together.column(1));
  std::thread other([&] { (void)factorization.solve(b.column(0), apart.column(0)); });
  (void)factorization.solve(b.column(1), apart.column(1));
  other.join();
  EXPECT_EQ(apart.values, together.values);
}

// Counts the workers that come to help in an arena. Its own one: at the end of a process oneTBB does not return what it keeps for
// observers of the arena that threads are in from the beginning.
class Helpers : public tbb::task_scheduler_observer {
 public:
  explicit Helpers(tbb::task_arena& arena) : task_scheduler_observer(arena) { observe(true); }
  ~Helpers() override { observe(false); }
  void on_scheduler_entry(bool is_worker) override { num_seen_ += is_worker ? 1 : 0; }
  [[nodiscard]] int num_seen() const { return num_seen_; }

 private:
  std::atomic<int> num_seen_ = 0;
};

// Loops over entries and rows, too, that prepare a factorization and measure errors.
TEST(Factorization, KeepsToOneThread) {
  tbb::task_arena arena;
  arena.execute([] { tbb::parallel_for(0, 1000, [](int) {}); });  // the workers are there
  const SparseMatrix<double> matrix = std::get<SparseMatrix<double>>(generate(ModelProblem::convection3d, 30, 1));
  SolverOptions options;
  options.factorization.num_threads = 1;
  const std::vector<double> b(static_cast<std::size_t>(matrix.num_rows), 1);
  std::vector<double> x(b.size());
  const Helpers helpers(arena);
  arena.execute([&] {
    const Factorization<double> factorization(analyze<double>(matrix, options), matrix, options);
    EXPECT_EQ(factorization.solve(b, x).verdict, Verdict::solved);
  });
  EXPECT_EQ(helpers.num_seen(), 0);
}

}  // namespace
}  // namespace frond
