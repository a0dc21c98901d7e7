// SPDX-License-Identifier: BSD-3-Clause
// Tests Schur complements, condensed right-hand sides and the expansion of solutions against dense algebra.
#include "solver/numerics/schur/schur_complement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/dense_determinant.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"
#include "tests/support/oracles/schur_oracle.hpp"
#include "tests/support/ranks/ending_memory.hpp"

namespace frond::stages {
namespace {

using testing::Flavour;

// In units of SchurOracle, for orders up to a few hundred: perturbations are sums of n rounding errors, and pivots let entries
// grow.
constexpr double kUnits = 100;

StageOptions with_kept(std::vector<Index> variables, Layout layout = Layout::rows) {
  StageOptions options{{}, layout};
  options.solver.analysis.schur_variables = std::move(variables);
  options.solver.error_bounds = ErrorBounds::first_column;
  return options;
}

std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> all(static_cast<std::size_t>(end - begin));
  std::iota(all.begin(), all.end(), begin);
  return all;
}

// Returns the variables of random pairs (2 k, 2 k + 1), where random_matrix() has its certain pivots, in random order.
std::vector<Index> random_pairs(Index order, Index num_pairs, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<Index> pairs(static_cast<std::size_t>(order / 2));
  std::iota(pairs.begin(), pairs.end(), 0);
  std::shuffle(pairs.begin(), pairs.end(), generator);
  std::vector<Index> variables;
  for (Index k = 0; k < num_pairs; ++k) {
    variables.push_back(2 * pairs[k]);
    variables.push_back(2 * pairs[k] + 1);
  }
  std::shuffle(variables.begin(), variables.end(), generator);
  return variables;
}

template <class S>
class SchurComplementsOf : public ::testing::Test {
 protected:
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  // Keeps few, many, all but a pair, and all variables; with and without a matching. With several ranks S is also on a grid.
  void check_selections(Symmetry symmetry, Flavour flavour, std::uint64_t seed) {
    if (!is_one_process() && flavour == Flavour::graded) {
      return;  // there is no time
    }
    const auto matrix = testing::random_matrix<S>(60, 3, symmetry, flavour, seed);
    const Index half = matrix.num_rows / 2;
    for (const Index kept : {Index{1}, half / 4, half - 1, half}) {
      for (const Use matching : {Use::never, Use::always}) {
        if (!is_one_process() && (kept == 1 || kept == half - 1 || (kept == half) != (matching == Use::always))) {
          continue;
        }
        SCOPED_TRACE(::testing::Message() << "seed 3, " << kept << " pairs kept, matching " << static_cast<int>(matching));
        StageOptions options = with_kept(random_pairs(matrix.num_rows, kept, 3));
        options.solver.analysis.ordering.matching = matching;
        check(matrix, testing::dense(matrix), options);
      }
    }
    check_on_grid(matrix, testing::dense(matrix), random_pairs(matrix.num_rows, half / 4, 3));
  }

  void check_on_grid(const SystemMatrix<S>& matrix, const DenseMatrix<S>& a, const std::vector<Index>& kept,
                     std::optional<Method> method = {}) {
    if (!is_one_process()) {
      StageOptions options = with_kept(kept, Layout::wide_grid);
      options.solver.method = method;
      check(matrix, a, options, {Operation::adjoint});
    }
  }

  // Checks S as a whole and in parts, then condensation, a dense solve, expansion, and the whole solution, for op(A).
  std::unique_ptr<StagedFactorization<S>> check(const SystemMatrix<S>& matrix, const DenseMatrix<S>& a, const StageOptions& options,
                                                const std::vector<Operation>& operations = {Operation::plain, Operation::transposed,
                                                                                            Operation::adjoint}) {
    auto factorization = factorize(matrix, options);
    EXPECT_EQ(factorization->report().factorization.status, FactorizationStatus::success);
    check_levels(factorization->report().factorization);
    spread_ += factorization->spread();
    const std::vector<Index>& kept = options.solver.analysis.schur_variables;
    const DenseMatrix<S> complement = factorization->schur_complement();
    EXPECT_LE(testing::SchurOracle(a, kept).error(complement), kUnits);
    for (const Index block_size : {1, 3, 64}) {
      check_part(factorization->calls().schur_part({.block_size = block_size}), complement);
    }
    check_part(factorization->calls().schur_part({.block_size = 2, .num_rows = 1, .num_cols = 1}), complement);
    for (const Operation operation : operations) {
      SCOPED_TRACE(::testing::Message() << "operation " << static_cast<int>(operation));
      check_solutions(*factorization, dense_operation(operation, a), kept, operation);
    }
    return factorization;
  }

  // Kept variables must not count as delayed pivots, and their front counts once; in a forest there are others.
  void check_levels(const FactorizationReport& report) const {
    Count num_delayed = 0;
    for (const LevelCounts& level : report.levels) {
      num_delayed += level.num_delayed_pivots;
    }
    EXPECT_EQ(num_delayed, report.num_delayed_pivots);
    EXPECT_TRUE(is_forest_ || report.levels.at(0).num_fronts == 1);
  }

  static void check_part(const SchurPart<S>& part, const DenseMatrix<S>& complement) {
    EXPECT_EQ(part.order, complement.num_rows);
    if (!part.is_in_grid) {
      EXPECT_TRUE(part.entries.empty());
      EXPECT_EQ(part.descriptor(7)[1], -1);
      return;
    }
    const std::array<int, 9> descriptor = part.descriptor(7);
    EXPECT_EQ(descriptor[1], 7);
    Count num_entries = 0;
    for (Index j = 0; j < complement.num_cols; ++j) {
      for (Index i = 0; i < complement.num_rows; ++i) {
        // mapping of the ScaLAPACK Users' Guide, section 4.3.1
        const Index block_row = i / descriptor[4];
        const Index block_col = j / descriptor[5];
        if (block_row % part.grid.num_rows == part.row && block_col % part.grid.num_cols == part.col) {
          const Index local_row = block_row / part.grid.num_rows * descriptor[4] + i % descriptor[4];
          const Index local_col = block_col / part.grid.num_cols * descriptor[5] + j % descriptor[5];
          EXPECT_EQ(part.entries.at(static_cast<std::size_t>(local_row + local_col * descriptor[8])), complement(i, j));
          ++num_entries;
        }
      }
    }
    EXPECT_EQ(num_entries, static_cast<Count>(part.entries.size()));
    EXPECT_EQ(num_entries, static_cast<Count>(part.num_rows) * part.num_cols);
  }

  // On several ranks, solves for more columns than are solved together.
  static void check_solutions(const StagedFactorization<S>& factorization, const DenseMatrix<S>& a, const std::vector<Index>& kept,
                              Operation operation) {
    const Index num_rhs = is_one_process() ? 3 : kSolveBlock + 1;
    const testing::SchurOracle oracle(a, kept);
    const DenseMatrix<S> b = testing::random_dense<S>(a.num_rows, num_rhs, 5);
    DenseMatrix<S> condensed(static_cast<Index>(kept.size()), num_rhs);
    factorization.condense(b, condensed, operation);
    EXPECT_LE(oracle.condensed_error(b, condensed), kUnits);

    const DenseMatrix<S> x2 = oracle.solution(condensed);
    DenseMatrix<S> x(a.num_rows, num_rhs);
    factorization.expand(b, x2, x, operation);
    EXPECT_LE(testing::dense_backward_error(a, x, b), kEps * std::max(20.0, 2 * oracle.amplification()));
    for (Index k = 0; k < x2.num_rows; ++k) {
      EXPECT_EQ(x(kept[k], 0), x2(k, 0));
    }

    const SolveReport report = factorization.solve(b, x, operation);
    EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
    EXPECT_LE(testing::dense_backward_error(a, x, b), 20 * kEps);
  }

  Spread spread_;  // of all factorizations checked
  bool is_forest_ = false;
};
TYPED_TEST_SUITE(SchurComplementsOf, test::Scalars);

// [4 1 2; 1 3 0; 2 0 5], keeping {2, 0}: S = [5 2; 2 4] - [0; 1] (1 / 3) [0 1] = [5 2; 2 11/3].
TYPED_TEST(SchurComplementsOf, AMatrixOfOrder3ByHand) {
  using S = TypeParam;
  const SparseMatrix<S> matrix =
      compress(Triplets<S>{3, 3, Symmetry::symmetric, {0, 1, 2, 1, 2}, {0, 0, 0, 1, 2}, {4, 1, 2, 3, 5}});
  const auto factorization = factorize<S>(matrix, with_kept({2, 0}));
  const DenseMatrix<S> complement = factorization->schur_complement();
  ASSERT_EQ(complement.num_rows, 2);
  EXPECT_EQ(complement(0, 0), S(5));
  EXPECT_EQ(complement(0, 1), S(2));
  EXPECT_EQ(complement(1, 0), S(2));
  EXPECT_LE(std::abs(complement(1, 1) - S(11) / S(3)), 4 * this->kEps);
  EXPECT_NEAR(factorization->report().factorization.determinant.log2_modulus(), std::log2(3.0), 4 * this->kEps);
}

TYPED_TEST(SchurComplementsOf, GeneralMatrices) {
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
    this->check_selections(Symmetry::general, flavour, 1);
  }
}

TYPED_TEST(SchurComplementsOf, SymmetricAndHermitianMatrices) {
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
      this->check_selections(symmetry, flavour, 2);
    }
  }
}

TYPED_TEST(SchurComplementsOf, SkewSymmetricMatrices) {
  this->check_selections(Symmetry::skew_symmetric, Flavour::zero_diagonal, 4);
}

// The transpose of a Hermitian matrix is its conjugate.
TYPED_TEST(SchurComplementsOf, MatricesByRows) {
  using S = TypeParam;
  const std::vector<Index> kept = random_pairs(60, 8, 6);
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::hermitian}) {
    const auto matrix = testing::random_matrix<S>(60, 3, symmetry, Flavour::zero_diagonal, 5);
    const SystemMatrix<S> by_rows(matrix.view(), true);
    const DenseMatrix<S> a = testing::dense(matrix, Operation::transposed);
    this->check(by_rows, a, with_kept(kept));
    this->check_on_grid(by_rows, a, kept);
  }
}

// Uses fronts of many rows and pivots, distributed over all ranks.
TYPED_TEST(SchurComplementsOf, APlaneOfAGrid) {
  using S = TypeParam;
  const std::vector<Index> plane = range(3 * 64, 4 * 64);
  const SparseMatrix<S> matrix = testing::laplacian<S>(8);
  for (const Method method : test::kRealMethods) {
    if (kIsComplex<S> && method == Method::cholesky) {
      continue;  // complex symmetric
    }
    StageOptions options = with_kept(plane);
    options.solver.method = method;
    this->check(matrix, testing::dense(matrix), options, {Operation::plain});
    this->check_on_grid(matrix, testing::dense(matrix), plane, method);
  }
  EXPECT_EQ(this->spread_.by_rows > 0, team().size() > 1);
  EXPECT_EQ(this->spread_.on_grids, team().size() == 1 ? 0 : kIsComplex<S> ? 2 : 3);
}

// Two grids without common variables, each with kept ones, and a third one without kept variables.
TYPED_TEST(SchurComplementsOf, Forests) {
  using S = TypeParam;
  const SparseMatrix<S> grid = testing::laplacian<S>(4);
  Triplets<S> triplets{3 * 64, 3 * 64, Symmetry::symmetric};
  for (Index part = 0; part < 3; ++part) {
    testing::for_each_entry(grid, [&](Index i, Index j, S value) { triplets.add(64 * part + i, 64 * part + j, value); });
  }
  const SparseMatrix<S> matrix = compress(std::move(triplets));
  this->is_forest_ = true;
  this->check(matrix, testing::dense(matrix), with_kept({100, 3, 64, 20, 127, 0}));
}

// The entries of A11 are at most 3, those in the kept rows are 1000: pivots of A11 must not be delayed because of them.
TYPED_TEST(SchurComplementsOf, LargeEntriesInKeptRowsDelayNothing) {
  using S = TypeParam;
  Triplets<S> triplets{40, 40};
  for (Index k = 0; k < 20; ++k) {
    triplets.add(k, (k + 1) % 20, S(1));
    triplets.add(k, k, S(3));
    triplets.add(20 + k, k, S(1000));
    triplets.add(k, 20 + k, S(1000));
    triplets.add(20 + k, 20 + k, S(1));
  }
  const SparseMatrix<S> matrix = compress(std::move(triplets));
  StageOptions options = with_kept(range(20, 40));
  options.solver.scaling = ScalingKind::none;
  const auto factorization = this->check(matrix, testing::dense(matrix), options);
  EXPECT_EQ(factorization->report().factorization.num_delayed_pivots, 0);
}

// The complement of a regular A11 in a graph Laplacian is singular: it exists, but most b have no solution.
TYPED_TEST(SchurComplementsOf, SingularComplements) {
  using S = TypeParam;
  Triplets<S> triplets{12, 12, Symmetry::symmetric};
  for (Index k = 0; k < 12; ++k) {
    triplets.add(k, k, S(2));
    triplets.add(std::max(k, (k + 1) % 12), std::min(k, (k + 1) % 12), S(-1));
  }
  const SparseMatrix<S> matrix = compress(std::move(triplets));
  const auto factorization = factorize<S>(matrix, with_kept({0, 5, 7}));
  ASSERT_EQ(factorization->report().factorization.status, FactorizationStatus::success);
  const testing::SchurOracle oracle(testing::dense(matrix), std::vector<Index>{0, 5, 7});
  EXPECT_LE(oracle.error(factorization->schur_complement()), kUnits);
  const DenseMatrix<S> b = testing::random_dense<S>(12, 1, 8);
  DenseMatrix<S> x(12, 1);
  const SolveReport report = factorization->solve(b, x);
  EXPECT_EQ(report.verdict, Verdict::singular);
  EXPECT_EQ(report.num_null_pivots(), 1);
  DenseMatrix<S> condensed(3, 1);
  factorization->condense(b, condensed);
  EXPECT_LE(oracle.condensed_error(b, condensed), kUnits);
}

// A = [0 1; 1 0] is regular, but A11 = 0 has no inverse. A solve factorizes the whole matrix.
TYPED_TEST(SchurComplementsOf, SingularInteriorsHaveNone) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    Triplets<S> triplets{4, 4, symmetry, {1, 2, 3}, {0, 2, 3}, {S(1), S(1), S(1)}};
    if (symmetry == Symmetry::general) {
      triplets.add(0, 1, S(1));
    }
    const SparseMatrix<S> matrix = compress(std::move(triplets));
    const auto factorization = factorize<S>(matrix, with_kept({1}));
    const FactorizationReport& report = factorization->report().factorization;
    EXPECT_EQ(report.status, FactorizationStatus::singular);
    EXPECT_EQ(report.null_pivots, (std::vector<Index>{0}));
    EXPECT_TRUE(std::isnan(std::real(factorization->schur_complement()(0, 0))));
    const DenseMatrix<S> b = testing::random_dense<S>(4, 1, 9);
    DenseMatrix<S> condensed(1, 1);
    factorization->condense(b, condensed);
    EXPECT_TRUE(std::isnan(std::real(condensed(0, 0))));
    DenseMatrix<S> x(4, 1);
    const SolveReport solved = factorization->solve(b, x);
    EXPECT_EQ(solved.verdict, Verdict::solved);
    EXPECT_EQ(solved.rank.lowest, 4);
    ASSERT_EQ(solved.notes.size(), 1U);
    EXPECT_NE(solved.notes[0].find("no Schur complement"), std::string::npos);
    EXPECT_NE(solved.notes[0].find("once more without one"), std::string::npos);
    EXPECT_LE(std::abs(x(0, 0) - b(1, 0)) + std::abs(x(1, 0) - b(0, 0)), kUnits * this->kEps);
    const InverseEntries<S> inverse = factorization->calls().inverse_diagonal();
    EXPECT_EQ(inverse.verdict, Verdict::solved);
    EXPECT_EQ(inverse.values, (is_led_here() ? std::vector<S>{S(0), S(0), S(1), S(1)} : std::vector<S>()));
  }
}

// Without memory for factors of A, null pivots of A11 or of the complement prove nothing about A.
TYPED_TEST(SchurComplementsOf, DoubtfulOnesStaySoWithoutMemoryForTheWhole) {
  using S = TypeParam;
  for (const bool has_complement : {false, true}) {
    const SparseMatrix<S> matrix = testing::doubtful_around_one<S>(has_complement);
    const Index order = matrix.num_rows;
    const auto memory = std::make_shared<testing::EndingMemory>();
    StageOptions options = with_kept({1});
    options.solver.factorization.memory = memory;
    const auto factorization = factorize<S>(matrix, options);
    EXPECT_EQ(factorization->report().rank.highest, has_complement ? order - 1 : order - 2);
    memory->end();
    DenseMatrix<S> b(order, 1);
    std::fill(b.values.begin(), b.values.end(), S(1));
    DenseMatrix<S> x(order, 1);
    const SolveReport solved = factorization->solve(b, x);
    EXPECT_EQ(solved.verdict, has_complement ? Verdict::solved : Verdict::rank_in_doubt) << solved.describe();
    EXPECT_EQ(solved.rank.status, RankVerdict::in_doubt);
    EXPECT_EQ(solved.rank.highest, order);
    EXPECT_EQ(solved.num_null_pivots(), 0);
    EXPECT_TRUE(std::isnan(solved.condition));
    EXPECT_TRUE(std::isnan(solved.worst().forward_error_bound));
    ASSERT_FALSE(solved.notes.empty());
    EXPECT_NE(solved.notes.back().find("memory did not suffice"), std::string::npos);
    EXPECT_EQ(std::isnan(std::real(x(2, 0))), !has_complement);
  }
}

// Factors of the whole A refine according to options set afterwards.
TYPED_TEST(SchurComplementsOf, RefineTheWholeAsItIsAsked) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::doubtful_around_one<S>(false);
  StageOptions options = with_kept({1});
  options.solver.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  const auto factorization = factorize<S>(matrix, options);
  const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 1, 8);
  DenseMatrix<S> x(matrix.num_rows, 1);
  EXPECT_EQ(factorization->solve(b, x).worst().refinement_steps, 0);
  factorization->set_solve_options({.max_steps = 2, .target = 1e-30}, ErrorBounds::never);
  EXPECT_GT(factorization->solve(b, x).worst().refinement_steps, 0);
}

// Cholesky suffices for A11, although the complement is indefinite.
TYPED_TEST(SchurComplementsOf, IndefiniteComplementsOfDefiniteInteriors) {
  using S = TypeParam;
  auto matrix = testing::random_matrix<S>(60, 3, Symmetry::hermitian, Flavour::dominant, 10);
  testing::for_each_entry(matrix, [](Index i, Index j, S& value) {
    if (i == j && j >= 50) {
      value = S(RealOf<S>(j % 2 == 0 ? 1e-3 : 5));
    }
  });
  const auto factorization = this->check(matrix, testing::dense(matrix), with_kept(range(50, 60)));
  EXPECT_EQ(factorization->report().method, Method::cholesky);
}

// A grid with zero row sums, whose last front has many kept rows and lacks one pivot, which may not be delayed to the kept rows.
TYPED_TEST(SchurComplementsOf, NullPivotsOfDistributedFronts) {
  using S = TypeParam;
  constexpr Index kInterior = 6 * 6 * 6;
  constexpr Index kKept = 24;
  Triplets<S> triplets{kInterior + kKept, kInterior + kKept, Symmetry::symmetric};
  testing::for_each_entry(testing::laplacian<S>(6), [&](Index i, Index j, S /*value*/) {
    if (i != j) {
      triplets.add(i, j, S(-1));
      triplets.add(i, i, S(1));
      triplets.add(j, j, S(1));
    }
  });
  for (Index k = 0; k < kKept; ++k) {
    triplets.add(kInterior + k, kInterior + k, S(5));
    triplets.add(kInterior + k, 9 * k, S(1));
  }
  const SparseMatrix<S> matrix = compress(std::move(triplets));
  for (const Method method : {Method::lu, Method::ldlt}) {
    StageOptions options = with_kept(range(kInterior, kInterior + kKept));
    options.solver.method = method;
    const auto factorization = factorize<S>(matrix, options);
    EXPECT_EQ(factorization->report().factorization.status, FactorizationStatus::singular);
    EXPECT_EQ(factorization->report().factorization.null_pivots.size(), 1U);
    EXPECT_EQ(factorization->spread().by_rows > 0, team().size() > 1);
  }
}

TYPED_TEST(SchurComplementsOf, AnOrderAsGiven) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(60, 3, Symmetry::general, Flavour::dominant, 11);
  StageOptions options = with_kept({17, 3, 58, 40});
  options.solver.analysis.ordering.kind = OrderingKind::given;
  options.solver.analysis.ordering.perm = range(0, 60);
  std::reverse(options.solver.analysis.ordering.perm.begin(), options.solver.analysis.ordering.perm.end());
  this->check(matrix, testing::dense(matrix), options);
}

TYPED_TEST(SchurComplementsOf, NothingKeptAndNothingThere) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(10, 2, Symmetry::general, Flavour::dominant, 12);
  this->is_forest_ = true;
  this->check(matrix, testing::dense(matrix), with_kept({}));
  const SparseMatrix<S> empty = compress(Triplets<S>{0, 0});
  EXPECT_EQ(factorize<S>(empty, with_kept({}))->schur_complement().num_rows, 0);
  const SparseMatrix<S> one = compress(Triplets<S>{1, 1, Symmetry::general, {0}, {0}, {S(7)}});
  EXPECT_EQ(factorize<S>(one, with_kept({0}))->schur_complement()(0, 0), S(7));
}

TEST(SchurComplement, DeterminantAndInertiaAreThoseOfTheInterior) {
  const auto matrix = testing::random_matrix<double>(60, 3, Symmetry::symmetric, Flavour::zero_diagonal, 13);
  const std::vector<Index> kept = random_pairs(60, 6, 14);
  StageOptions options = with_kept(kept);
  options.solver.method = Method::ldlt;
  const auto factorization = factorize<double>(matrix, options);
  std::vector<Index> first = range(0, 60);
  std::erase_if(first, [&](Index variable) { return std::find(kept.begin(), kept.end(), variable) != kept.end(); });
  const DenseMatrix<double> a = testing::dense(matrix);
  DenseMatrix<double> interior(48, 48);
  for (Index j = 0; j < 48; ++j) {
    for (Index i = 0; i < 48; ++i) {
      interior(i, j) = a(first[i], first[j]);
    }
  }
  const FactorizationReport& report = factorization->report().factorization;
  const test::DenseDeterminant determinant = test::dense_determinant(interior);
  EXPECT_LE(test::relative_difference(report.determinant, determinant.value), determinant.tolerance);
  EXPECT_EQ(report.inertia.positive + report.inertia.negative, 48);
  EXPECT_EQ(report.inertia.negative % 2 != 0, determinant.value.mantissa.real() < 0);
}

TEST(SchurComplement, SaysWhatIsWrong) {
  const auto matrix = testing::random_matrix<double>(10, 2, Symmetry::general, Flavour::dominant, 15);
  for (const std::vector<Index>& kept : {std::vector<Index>{3, 10}, {-1}, {3, 4, 3}}) {
    EXPECT_THROW((void)analyse<double>(matrix, with_kept(kept)), UsageError);
  }
  StageOptions moves = with_kept({3});
  moves.solver.analysis.ordering.kind = OrderingKind::given;
  moves.solver.analysis.ordering.perm = range(0, 10);
  moves.solver.analysis.ordering.row_of_column = {0, 1, 2, 4, 3, 5, 6, 7, 8, 9};
  EXPECT_THROW((void)analyse<double>(matrix, moves), UsageError);
  StageOptions mixed = with_kept({3, 4});
  mixed.solver.mixed_precision = true;
  EXPECT_THROW((void)factorize<double>(matrix, mixed), UsageError);
  StageOptions perturbing = with_kept({3, 4});
  perturbing.solver.factorization.pivoting.kind = PivotingKind::static_structure;
  EXPECT_THROW((void)factorize<double>(matrix, perturbing), UsageError);
  const auto factorization = factorize<double>(matrix, with_kept({3, 4}));
  const Rank too_many = team().size() + 1;
  EXPECT_THROW((void)factorization->calls().schur_part({.block_size = 2, .num_rows = 1, .num_cols = too_many}), UsageError);
  EXPECT_THROW((void)factorization->calls().schur_part({.block_size = 0}), UsageError);
  const DenseMatrix<double> b(10, 1);
  DenseMatrix<double> x(10, 1);
  DenseMatrix<double> two(2, 1);
  DenseMatrix<double> three(3, 1);
  EXPECT_THROW(factorization->condense(b, three), UsageError);
  EXPECT_THROW(factorization->expand(b, three, x, Operation::plain), UsageError);
  two(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(factorization->expand(b, two, x, Operation::plain), UsageError);
  DenseMatrix<double> one(1, 1);
  const std::vector<Index> wrong{is_last_here() ? 5 : 3};
  EXPECT_THROW(factorization->calls().condense_rows({range(0, 10), view_of(b)}, {wrong, view_of(one)}), UsageError);
}

}  // namespace
}  // namespace frond::stages
