// SPDX-License-Identifier: BSD-3-Clause
// Tests Schur complements, condensed right-hand sides and the expansion of solutions against LAPACK on dense matrices.
#include "solver/numerics/schur/schur_complement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "solver/course/analyze_system.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/random_pairs.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/dense_determinant.hpp"
#include "tests/support/oracles/schur_oracle.hpp"
#include "tests/support/ranks/ending_memory.hpp"

namespace frond {
namespace {

using testing::Flavour;

// In units of SchurOracle, for orders up to a few hundred: perturbations are sums of n rounding errors, and pivots let entries
// grow.
constexpr double kUnits = 100;

SolverOptions keeping(std::vector<Index> variables) {
  SolverOptions options;
  options.analysis.schur_variables = std::move(variables);
  return options;
}

template <Scalar S>
Factorization<S> factorize_keeping(const SystemMatrix<S>& matrix, const SolverOptions& options) {
  return Factorization<S>(analyze(matrix, options), matrix);
}

// Checks the complement, the condensed right-hand sides, and the solution expanded from LAPACK's solution of the condensed system.
template <Scalar S>
void check_against_lapack(const DenseMatrix<S>& a, const Factorization<S>& factorization, Operation operation, Index num_rhs) {
  const std::span<const Index> variables = factorization.analysis().parts().symbolic->schur_variables();
  const testing::SchurOracle oracle(a, variables);
  const DenseMatrix<S> b = testing::random_dense<S>(a.num_rows, num_rhs, 5);
  DenseMatrix<S> condensed(static_cast<Index>(variables.size()), num_rhs);
  factorization.condense(view_of(b), view_of(condensed), operation);
  EXPECT_LE(oracle.condensed_error(b, condensed), kUnits);

  const auto x2 = testing::narrowed<S>(testing::solve_by_lapack(oracle.complement(), testing::widened(condensed)));
  DenseMatrix<S> x(a.num_rows, num_rhs);
  factorization.expand(view_of(b), view_of(x2), view_of(x), operation);
  const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  EXPECT_LE(testing::dense_backward_error(a, x, b), eps * std::max(20.0, 2 * oracle.amplification()));
  for (Index k = 0; k < x2.num_rows; ++k) {
    EXPECT_EQ(x(variables[static_cast<std::size_t>(k)], 0), x2(k, 0));
  }

  DenseMatrix<S> whole(a.num_rows, num_rhs);
  const SolveReport report = factorization.solve(view_of(b), view_of(whole), operation);
  EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
  EXPECT_LE(testing::dense_backward_error(a, whole, b), 20 * eps);
}

template <Scalar S>
void check_all_operations(const SparseMatrix<S>& matrix, const Factorization<S>& factorization) {
  ASSERT_EQ(factorization.report().factorization.status, FactorizationStatus::success);
  const testing::SchurOracle oracle(testing::dense(matrix), factorization.analysis().parts().symbolic->schur_variables());
  EXPECT_LE(oracle.error(factorization.schur_complement()), kUnits);
  for (const Operation operation : test::kOperations) {
    SCOPED_TRACE(::testing::Message() << "operation " << static_cast<int>(operation));
    check_against_lapack(testing::dense(matrix, operation), factorization, operation, 3);
  }
}

template <class S>
class SchurComplementsOf : public ::testing::Test {
 protected:
  // Keeps few, many, all but a pair, and all variables; with and without a matching.
  void check_selections(const SparseMatrix<S>& matrix) {
    const Index num_pairs = matrix.num_rows / 2;
    for (const Index kept : {Index{1}, num_pairs / 4, num_pairs - 1, num_pairs}) {
      for (const MatchingUse matching : {MatchingUse::never, MatchingUse::always}) {
        SCOPED_TRACE(::testing::Message() << "seed 3, " << kept << " pairs kept, matching " << static_cast<int>(matching));
        SolverOptions options = keeping(testing::random_pairs(matrix.num_rows, kept, 3));
        options.analysis.ordering.matching = matching;
        check_all_operations(matrix, factorize_keeping<S>(matrix, options));
      }
    }
  }
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SchurComplementsOf, Scalars);

// [4 1 2; 1 3 0; 2 0 5], keeping {2, 0}: S = [5 2; 2 4] - [0; 1] (1 / 3) [0 1] = [5 2; 2 11/3].
TYPED_TEST(SchurComplementsOf, AMatrixOfOrder3ByHand) {
  using S = TypeParam;
  const SparseMatrix<S> matrix =
      compress(Triplets<S>{3, 3, Symmetry::symmetric, {0, 1, 2, 1, 2}, {0, 0, 0, 1, 2}, {4, 1, 2, 3, 5}});
  const Factorization<S> factorization = factorize_keeping<S>(matrix, keeping({2, 0}));
  const DenseMatrix<S> complement = factorization.schur_complement();
  ASSERT_EQ(complement.num_rows, 2);
  const RealOf<S> eps = std::numeric_limits<RealOf<S>>::epsilon();
  EXPECT_EQ(complement(0, 0), S(5));
  EXPECT_EQ(complement(0, 1), S(2));
  EXPECT_EQ(complement(1, 0), S(2));
  EXPECT_LE(std::abs(complement(1, 1) - S(11) / S(3)), 4 * eps);
  EXPECT_NEAR(factorization.report().factorization.determinant.log2_modulus(), std::log2(3.0), 4 * eps);
}

TYPED_TEST(SchurComplementsOf, GeneralMatrices) {
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
    this->check_selections(testing::random_matrix<TypeParam>(60, 3, Symmetry::general, flavour, 1));
  }
}

TYPED_TEST(SchurComplementsOf, SymmetricMatrices) {
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
    this->check_selections(testing::random_matrix<TypeParam>(60, 3, Symmetry::symmetric, flavour, 2));
  }
}

TYPED_TEST(SchurComplementsOf, HermitianMatrices) {
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
    this->check_selections(testing::random_matrix<TypeParam>(60, 3, Symmetry::hermitian, flavour, 3));
  }
}

TYPED_TEST(SchurComplementsOf, SkewSymmetricMatrices) {
  this->check_selections(testing::random_matrix<TypeParam>(60, 3, Symmetry::skew_symmetric, Flavour::zero_diagonal, 4));
}

TYPED_TEST(SchurComplementsOf, MatricesByRows) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(60, 3, Symmetry::general, Flavour::zero_diagonal, 5);
  const SystemMatrix<S> by_rows = compressed_rows<S>(60, matrix.column_offsets, matrix.row_indices, matrix.values);
  const Factorization<S> factorization = factorize_keeping<S>(by_rows, keeping(testing::random_pairs(60, 8, 6)));
  const DenseMatrix<S> a = testing::dense(matrix, Operation::transposed);
  const testing::SchurOracle oracle(a, factorization.analysis().parts().symbolic->schur_variables());
  EXPECT_LE(oracle.error(factorization.schur_complement()), kUnits);
  check_against_lapack(a, factorization, Operation::plain, 2);
  check_against_lapack(testing::dense(matrix), factorization, Operation::transposed, 2);
  DenseMatrix<S> conjugated = testing::dense(matrix);
  std::transform(conjugated.values.begin(), conjugated.values.end(), conjugated.values.begin(), [](S v) { return conjugate(v); });
  check_against_lapack(conjugated, factorization, Operation::adjoint, 2);
}

// The fronts are large enough to be shared by threads, and there is more than one block of right-hand sides; the bits must not
// change.
TYPED_TEST(SchurComplementsOf, BitsDoNotDependOnThreads) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::laplacian<S>(13);
  std::vector<Index> plane(std::size_t{13} * 13);
  std::iota(plane.begin(), plane.end(), 6 * 13 * 13);
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    if (kIsComplex<S> && method == Method::cholesky) {
      continue;  // complex symmetric
    }
    SolverOptions options = keeping(plane);
    options.method = method;
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 70, 7);
    DenseMatrix<S> first;
    DenseMatrix<S> first_condensed;
    DenseMatrix<S> first_x;
    for (const int num_threads : {1, 2, 5}) {
      options.factorization.num_threads = num_threads;
      const Factorization<S> factorization = factorize_keeping<S>(matrix, options);
      const DenseMatrix<S> complement = factorization.schur_complement();
      DenseMatrix<S> condensed(169, 70);
      factorization.condense(view_of(b), view_of(condensed));
      DenseMatrix<S> x(matrix.num_rows, 70);
      EXPECT_EQ(factorization.solve(view_of(b), view_of(x)).verdict, Verdict::solved);
      if (num_threads == 1) {
        first = complement;
        first_condensed = condensed;
        first_x = x;
      }
      EXPECT_EQ(complement.values, first.values) << num_threads;
      EXPECT_EQ(condensed.values, first_condensed.values) << num_threads;
      EXPECT_EQ(x.values, first_x.values) << num_threads;
    }
  }
}

// Two grids without common variables, each with kept ones, and a third one without kept variables.
TYPED_TEST(SchurComplementsOf, Forests) {
  using S = TypeParam;
  const SparseMatrix<S> grid = testing::laplacian<S>(4);
  Triplets<S> triplets{3 * 64, 3 * 64, Symmetry::symmetric, {}, {}, {}};
  for (Index part = 0; part < 3; ++part) {
    for (Index j = 0; j < 64; ++j) {
      for (Count e = grid.column_offsets[static_cast<std::size_t>(j)]; e < grid.column_offsets[static_cast<std::size_t>(j) + 1];
           ++e) {
        const auto entry = static_cast<std::size_t>(e);
        triplets.add(64 * part + grid.row_indices[entry], 64 * part + j, grid.values[entry]);
      }
    }
  }
  const SparseMatrix<S> matrix = compress(std::move(triplets));
  check_all_operations(matrix, factorize_keeping<S>(matrix, keeping({100, 3, 64, 20, 127, 0})));
}

// The entries of A11 are at most 3, those in the kept rows are 1000: pivots of A11 must not be delayed because of them.
TYPED_TEST(SchurComplementsOf, LargeEntriesInKeptRowsDelayNothing) {
  using S = TypeParam;
  Triplets<S> triplets{40, 40, Symmetry::general, {}, {}, {}};
  for (Index k = 0; k < 20; ++k) {
    triplets.add(k, (k + 1) % 20, S(1));
    triplets.add(k, k, S(3));
    triplets.add(20 + k, k, S(1000));
    triplets.add(k, 20 + k, S(1000));
    triplets.add(20 + k, 20 + k, S(1));
  }
  const SparseMatrix<S> matrix = compress(std::move(triplets));
  std::vector<Index> kept(20);
  std::iota(kept.begin(), kept.end(), 20);
  SolverOptions options = keeping(kept);
  options.scaling.kind = ScalingKind::none;
  const Factorization<S> factorization = factorize_keeping<S>(matrix, options);
  EXPECT_EQ(factorization.report().factorization.num_delayed_pivots, 0);
  check_all_operations(matrix, factorization);
}

// The complement of a regular A11 in a graph Laplacian is singular: it exists, but most b have no solution.
TYPED_TEST(SchurComplementsOf, SingularComplements) {
  using S = TypeParam;
  Triplets<S> triplets{12, 12, Symmetry::symmetric, {}, {}, {}};
  for (Index k = 0; k < 12; ++k) {
    triplets.add(k, k, S(2));
    triplets.add(std::max(k, (k + 1) % 12), std::min(k, (k + 1) % 12), S(-1));
  }
  const SparseMatrix<S> matrix = compress(std::move(triplets));
  const Factorization<S> factorization = factorize_keeping<S>(matrix, keeping({0, 5, 7}));
  ASSERT_EQ(factorization.report().factorization.status, FactorizationStatus::success);
  const testing::SchurOracle oracle(testing::dense(matrix), factorization.analysis().parts().symbolic->schur_variables());
  EXPECT_LE(oracle.error(factorization.schur_complement()), kUnits);
  const DenseMatrix<S> b = testing::random_dense<S>(12, 1, 8);
  DenseMatrix<S> x(12, 1);
  const SolveReport report = factorization.solve(view_of(b), view_of(x));
  EXPECT_EQ(report.verdict, Verdict::singular);
  EXPECT_EQ(report.num_null_pivots(), 1);
  DenseMatrix<S> condensed(3, 1);
  factorization.condense(view_of(b), view_of(condensed));
  EXPECT_LE(oracle.condensed_error(b, condensed), kUnits);
}

// A = [0 1; 1 0] is regular, but A11 = 0 has no inverse. A solve factorizes the whole matrix.
TYPED_TEST(SchurComplementsOf, SingularInteriorsHaveNone) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    Triplets<S> triplets{4, 4, symmetry, {}, {}, {}};
    triplets.add(1, 0, S(1));
    triplets.add(2, 2, S(1));
    triplets.add(3, 3, S(1));
    if (symmetry == Symmetry::general) {
      triplets.add(0, 1, S(1));
    }
    const SparseMatrix<S> matrix = compress(std::move(triplets));
    const Factorization<S> factorization = factorize_keeping<S>(matrix, keeping({1}));
    const FactorizationReport& report = factorization.report().factorization;
    EXPECT_EQ(report.status, FactorizationStatus::singular);
    EXPECT_EQ(report.null_pivots, (std::vector<Index>{0}));
    EXPECT_TRUE(std::isnan(std::real(factorization.schur_complement()(0, 0))));
    const DenseMatrix<S> b = testing::random_dense<S>(4, 1, 9);
    DenseMatrix<S> condensed(1, 1);
    factorization.condense(view_of(b), view_of(condensed));
    EXPECT_TRUE(std::isnan(std::real(condensed(0, 0))));
    DenseMatrix<S> x(4, 1);
    const SolveReport solved = factorization.solve(view_of(b), view_of(x));
    EXPECT_EQ(solved.verdict, Verdict::solved);
    EXPECT_EQ(solved.rank.lowest, 4);
    ASSERT_EQ(solved.notes.size(), 1U);
    EXPECT_NE(solved.notes[0].find("no Schur complement"), std::string::npos);
    EXPECT_NE(solved.notes[0].find("once more without one"), std::string::npos);
    EXPECT_LE(std::abs(x(0, 0) - b(1, 0)) + std::abs(x(1, 0) - b(0, 0)), kUnits * std::numeric_limits<RealOf<S>>::epsilon());
    const InverseEntries<S> inverse = factorization.inverse_diagonal();
    EXPECT_EQ(inverse.verdict, Verdict::solved);
    EXPECT_EQ(inverse.values, (std::vector<S>{S(0), S(0), S(1), S(1)}));
  }
}

// Without memory for factors of A, null pivots of A11 or of the complement prove nothing about A.
TYPED_TEST(SchurComplementsOf, DoubtfulOnesStaySoWithoutMemoryForTheWhole) {
  using S = TypeParam;
  for (const bool has_complement : {false, true}) {
    const SparseMatrix<S> matrix = testing::doubtful_around_one<S>(has_complement);
    const Index order = matrix.num_rows;
    const auto memory = std::make_shared<testing::EndingMemory>();
    SolverOptions options = keeping({1});
    options.factorization.memory = memory;
    options.error_bounds = ErrorBounds::all_columns;
    const Factorization<S> factorization = factorize_keeping<S>(matrix, options);
    EXPECT_EQ(factorization.report().rank.highest, has_complement ? order - 1 : order - 2);
    memory->end();
    const std::vector<S> b(static_cast<std::size_t>(order), S(1));
    std::vector<S> x(b.size());
    const SolveReport solved = factorization.solve(b, x);
    EXPECT_EQ(solved.verdict, has_complement ? Verdict::solved : Verdict::rank_in_doubt) << solved.describe();
    EXPECT_EQ(solved.rank.status, RankVerdict::in_doubt);
    EXPECT_EQ(solved.rank.highest, order);
    EXPECT_EQ(solved.num_null_pivots(), 0);
    EXPECT_TRUE(std::isnan(solved.condition));
    EXPECT_TRUE(std::isnan(solved.worst().forward_error_bound));
    ASSERT_FALSE(solved.notes.empty());
    EXPECT_NE(solved.notes.back().find("memory did not suffice"), std::string::npos);
    EXPECT_EQ(std::isnan(std::real(x[2])), !has_complement);
  }
}

// Factors of the whole A refine according to options set afterwards.
TYPED_TEST(SchurComplementsOf, RefineTheWholeAsItIsAsked) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::doubtful_around_one<S>(false);
  SolverOptions options = keeping({1});
  options.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  Factorization<S> factorization = factorize_keeping<S>(matrix, options);
  const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 1, 8);
  DenseMatrix<S> x(matrix.num_rows, 1);
  EXPECT_EQ(factorization.solve(view_of(b), view_of(x)).worst().refinement_steps, 0);
  factorization.set_solve_options({.max_steps = 2, .target = 1e-30}, ErrorBounds::never);
  EXPECT_GT(factorization.solve(view_of(b), view_of(x)).worst().refinement_steps, 0);
}

// Cholesky suffices for A11, although the complement is indefinite.
TYPED_TEST(SchurComplementsOf, IndefiniteComplementsOfDefiniteInteriors) {
  using S = TypeParam;
  auto matrix = testing::random_matrix<S>(60, 3, Symmetry::hermitian, Flavour::dominant, 10);
  for (Index j = 50; j < 60; ++j) {  // diagonal entries that make the complement indefinite
    const auto begin = matrix.row_indices.begin() + matrix.column_offsets[static_cast<std::size_t>(j)];
    const auto end = matrix.row_indices.begin() + matrix.column_offsets[static_cast<std::size_t>(j) + 1];
    const auto diagonal = std::find(begin, end, j);
    matrix.values[static_cast<std::size_t>(diagonal - matrix.row_indices.begin())] = S(RealOf<S>(j % 2 == 0 ? 1e-3 : 5));
  }
  std::vector<Index> kept(10);
  std::iota(kept.begin(), kept.end(), 50);
  const Factorization<S> factorization = factorize_keeping<S>(matrix, keeping(kept));
  EXPECT_EQ(factorization.report().method, Method::cholesky);
  check_all_operations(matrix, factorization);
}

TYPED_TEST(SchurComplementsOf, AnOrderAsGiven) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(60, 3, Symmetry::general, Flavour::dominant, 11);
  SolverOptions options = keeping({17, 3, 58, 40});
  options.analysis.ordering.kind = OrderingKind::given;
  options.analysis.ordering.perm.resize(60);
  std::iota(options.analysis.ordering.perm.rbegin(), options.analysis.ordering.perm.rend(), 0);
  check_all_operations(matrix, factorize_keeping<S>(matrix, options));
}

TYPED_TEST(SchurComplementsOf, NothingKeptAndNothingThere) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(10, 2, Symmetry::general, Flavour::dominant, 12);
  check_all_operations(matrix, factorize_keeping<S>(matrix, {}));
  const SparseMatrix<S> empty = compress(Triplets<S>{0, 0, Symmetry::general, {}, {}, {}});
  EXPECT_EQ(factorize_keeping<S>(empty, {}).schur_complement().num_rows, 0);
  const SparseMatrix<S> one = compress(Triplets<S>{1, 1, Symmetry::general, {0}, {0}, {S(7)}});
  EXPECT_EQ(factorize_keeping<S>(one, keeping({0})).schur_complement()(0, 0), S(7));
}

TEST(SchurComplement, DeterminantAndInertiaAreThoseOfTheInterior) {
  const auto matrix = testing::random_matrix<double>(60, 3, Symmetry::symmetric, Flavour::zero_diagonal, 13);
  const std::vector<Index> kept = testing::random_pairs(60, 6, 14);
  SolverOptions options = keeping(kept);
  options.method = Method::ldlt;
  const Factorization<double> factorization = factorize_keeping<double>(matrix, options);
  std::vector<Index> first;
  for (Index variable = 0; variable < 60; ++variable) {
    if (std::find(kept.begin(), kept.end(), variable) == kept.end()) {
      first.push_back(variable);
    }
  }
  const DenseMatrix<double> a = testing::dense(matrix);
  DenseMatrix<double> interior(48, 48);
  for (Index j = 0; j < 48; ++j) {
    for (Index i = 0; i < 48; ++i) {
      interior(i, j) = a(first[static_cast<std::size_t>(i)], first[static_cast<std::size_t>(j)]);
    }
  }
  const FactorizationReport& report = factorization.report().factorization;
  const test::DenseDeterminant determinant = test::dense_determinant(interior);
  EXPECT_LE(test::relative_difference(report.determinant, determinant.value), determinant.tolerance);
  EXPECT_EQ(report.inertia.positive + report.inertia.negative, 48);
  EXPECT_EQ(report.inertia.negative % 2 != 0, determinant.value.mantissa.real() < 0);
}

TEST(SchurComplement, SaysWhatIsWrong) {
  const auto matrix = testing::random_matrix<double>(10, 2, Symmetry::general, Flavour::dominant, 15);
  EXPECT_THROW((void)analyze(matrix, keeping({3, 10})), UsageError);
  EXPECT_THROW((void)analyze(matrix, keeping({-1})), UsageError);
  EXPECT_THROW((void)analyze(matrix, keeping({3, 4, 3})), UsageError);
  SolverOptions moves = keeping({3});
  moves.analysis.ordering.kind = OrderingKind::given;
  moves.analysis.ordering.perm = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  moves.analysis.ordering.row_of_column = {0, 1, 2, 4, 3, 5, 6, 7, 8, 9};
  EXPECT_THROW((void)analyze(matrix, moves), UsageError);
  const auto analysis = analyze(matrix, keeping({3, 4}));
  SolverOptions mixed = keeping({3, 4});
  mixed.precision = Precision::mixed;
  EXPECT_THROW(Factorization<double>(analysis.with_options(mixed), matrix), UsageError);
  SolverOptions perturbing = keeping({3, 4});
  perturbing.factorization.pivoting.kind = PivotingKind::static_structure;
  EXPECT_THROW(Factorization<double>(analysis.with_options(perturbing), matrix), UsageError);
  const Factorization<double> factorization(analysis, matrix);
  DenseMatrix<double> b(10, 1);
  DenseMatrix<double> two(2, 1);
  DenseMatrix<double> three(3, 1);
  EXPECT_THROW(factorization.condense(view_of(std::as_const(b)), view_of(three)), UsageError);
  EXPECT_THROW(factorization.expand(view_of(std::as_const(b)), view_of(std::as_const(three)), view_of(b)), UsageError);
  two(0, 0) = std::numeric_limits<double>::quiet_NaN();
  DenseMatrix<double> x(10, 1);
  EXPECT_THROW(factorization.expand(view_of(std::as_const(b)), view_of(std::as_const(two)), view_of(x)), UsageError);
}

}  // namespace
}  // namespace frond
