// SPDX-License-Identifier: BSD-3-Clause
// Tests that scaling rows and columns by powers of 2 changes no answer beyond the rounding of refined answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <variant>

#include "frond/dense.hpp"
#include "frond/factorization.hpp"
#include "frond/files.hpp"
#include "frond/matrix.hpp"
#include "matrices/generate.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/scaled_apart.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {
namespace {

// D A x = D b with a known x, all without rounding.
template <Scalar S>
struct SubnormalSystem {
  SparseMatrix<S> matrix;  // D A
  DenseMatrix<S> b;        // D b
  DenseMatrix<S> x;
};

// The Laplacian of a `size` x `size` grid, with rows multiplied by a power of 2 that makes them subnormal: all rows, or every
// other row of a general matrix.
template <Scalar S>
[[nodiscard]] SubnormalSystem<S> subnormal_system(Index size, Symmetry symmetry, bool all_rows) {
  using R = RealOf<S>;
  constexpr R kOrdinary = 0x1p30;  // of x, so that right-hand sides are normal numbers
  const auto scale = [&](Index row) {
    return all_rows || row % 2 == 0 ? std::ldexp(R(1), std::numeric_limits<R>::min_exponent - 5) : R(1);
  };
  const Index n = size * size;
  Triplets<S> triplets{n, n, symmetry};
  SubnormalSystem<S> system{{}, DenseMatrix<S>(n, 1), DenseMatrix<S>(n, 1)};
  for (Index i = 0; i < n; ++i) {
    system.x(i, 0) = S(kOrdinary * static_cast<R>(1 + i % 5));
  }
  const auto add = [&](Index i, Index j, R value) {
    system.b(i, 0) += S(value * scale(i) * std::real(system.x(j, 0)));
    if (symmetry == Symmetry::general || i >= j) {
      triplets.add(i, j, S(value * scale(i)));
    }
  };
  for (Index i = 0; i < n; ++i) {
    add(i, i, R(4));
    for (const Index step : {Index(1), size}) {
      const bool has_next = step == 1 ? i % size + 1 < size : i + size < n;
      if (has_next) {
        add(i, i + step, R(-1));
        add(i + step, i, R(-1));
      }
    }
  }
  system.matrix = compress(std::move(triplets));
  return system;
}

}  // namespace
}  // namespace frond::testing

namespace frond::stages {
namespace {

using testing::Flavour;
using testing::scaled_apart;
using testing::scaled_rows;

template <class S>
constexpr int kLargestExponent = std::is_same_v<RealOf<S>, double> ? 490 : 48;

StageOptions bounding_options() {
  StageOptions options;
  options.solver.error_bounds = ErrorBounds::all_columns;
  return options;
}

template <class S>
struct Answer {
  DenseMatrix<S> x;
  SolveReport report;
};

template <class S>
Answer<S> answer_of(const StagedFactorization<S>& factorization, const DenseMatrix<S>& b, Operation operation) {
  Answer<S> answer{DenseMatrix<S>(b.num_rows, b.num_cols), {}};
  answer.report = factorization.solve(b, answer.x, operation);
  return answer;
}

// Both answers must be within the error bound of the first, which follows from componentwise backward errors: these are independent
// of units.
template <class S>
void expect_same_answers(const StagedFactorization<S>& natural, const StagedFactorization<S>& other,
                         const testing::ScaledApart<S>& scaled) {
  const Index n = scaled.matrix.num_rows;
  const DenseMatrix<S> b = testing::random_dense<S>(n, 2, 9);
  for (const Operation operation : test::kOperations) {
    const bool is_plain = operation == Operation::plain;
    const Answer<S> answer = answer_of(natural, b, operation);
    ASSERT_EQ(answer.report.verdict, Verdict::solved) << to_string(natural.report().scaling) << answer.report.describe();
    Answer<S> apart = answer_of(other, scaled_rows(b, is_plain ? scaled.row_exponents : scaled.col_exponents), operation);
    EXPECT_EQ(apart.report.verdict, Verdict::solved) << to_string(other.report().scaling) << ": " << apart.report.describe();
    apart.x = scaled_rows(std::move(apart.x), is_plain ? scaled.col_exponents : scaled.row_exponents);
    EXPECT_LE(testing::largest_relative_difference(answer.x, apart.x),
              (is_one_process() ? 3 : 4) * answer.report.worst().forward_error_bound)
        << to_string(natural.report().scaling) << ": " << answer.report.describe()
        << "; scaled apart: " << to_string(other.report().scaling) << ": " << apart.report.describe();
    if (is_one_process() && natural.report().scaling == ScalingKind::equilibrate && scaled.matrix.symmetry != Symmetry::general) {
      EXPECT_TRUE(answer.x.values == apart.x.values) << "bits";
    }
  }
}

template <class S>
void expect_same_factorizations(const SystemReport& natural, const SystemReport& apart) {
  if (!kIsComplex<S> || natural.method == Method::ldlh) {
    EXPECT_EQ(natural.factorization.inertia.positive, apart.factorization.inertia.positive);
    EXPECT_EQ(natural.factorization.inertia.negative, apart.factorization.inertia.negative);
  }
  EXPECT_EQ(natural.factorization.inertia.zero, apart.factorization.inertia.zero);
  if (is_one_process() && natural.method != Method::lu && natural.scaling == ScalingKind::equilibrate) {
    EXPECT_EQ(natural.factorization.num_delayed_pivots, apart.factorization.num_delayed_pivots);
    EXPECT_EQ(natural.factorization.flops, apart.factorization.flops);
  } else {
    // Some scales may come out twice as large, and among nearly equal pivots others may be delayed: rounding, and thus the
    // processor, decides which.
    EXPECT_LE(apart.factorization.flops, 1.3 * natural.factorization.flops);
  }
}

// The blocks of a reducible matrix may be scaled against each other in several ways, so that other pivots are delayed: then only
// answers are the same.
template <class S>
void expect_invariance(const SparseMatrix<S>& matrix, std::uint64_t seed, const StageOptions& options = bounding_options(),
                       int largest_exponent = kLargestExponent<S>, bool also_of_pivots = true) {
  const auto scaled = scaled_apart(matrix, largest_exponent, seed);
  const auto natural = factorize<S>(matrix, options);
  const auto other = factorize<S>(scaled.matrix, options);
  if (!is_one_process()) {  // several choose as one does
    EXPECT_EQ(other->report().scaling, Factorization<S>(analyze(matrix, options.solver), matrix).report().scaling);
  }
  if (also_of_pivots) {
    expect_same_factorizations<S>(natural->report(), other->report());
  }
  EXPECT_EQ(natural->report().factorization.status, other->report().factorization.status);
  EXPECT_EQ(natural->report().factorization.null_pivots.size(), other->report().factorization.null_pivots.size());
  if (natural->report().factorization.status == FactorizationStatus::success) {
    expect_same_answers(*natural, *other, scaled);
  }
}

// Shuffles the rows: as a rule, the diagonal becomes empty.
template <class S>
SparseMatrix<S> with_shuffled_rows(const SparseMatrix<S>& matrix, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Index> places(static_cast<std::size_t>(matrix.num_rows));
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), random);
  Triplets<S> shuffled{matrix.num_rows, matrix.num_cols};
  testing::for_each_entry(matrix, [&](Index i, Index j, S value) { shuffled.add(places[i], j, value); });
  return compress(std::move(shuffled));
}

template <class S>
class ScalingInvarianceOf : public ::testing::Test {};
TYPED_TEST_SUITE(ScalingInvarianceOf, test::Scalars);

TYPED_TEST(ScalingInvarianceOf, HoldsForRandomMatricesOfEveryKind) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
      for (std::uint64_t seed = 1; seed <= num_seeds(3); ++seed) {
        SCOPED_TRACE(::testing::Message() << "symmetry " << static_cast<int>(symmetry) << ", flavour " << static_cast<int>(flavour)
                                          << ", seed " << seed);
        expect_invariance(testing::random_matrix<S>(60, 3, symmetry, flavour, seed), seed + 10);
      }
    }
  }
}

TYPED_TEST(ScalingInvarianceOf, HoldsWithoutADiagonal) {
  using S = TypeParam;
  for (std::uint64_t seed = 1; seed <= num_seeds(3); ++seed) {
    SCOPED_TRACE(seed);
    expect_invariance(with_shuffled_rows(testing::random_matrix<S>(80, 3, Symmetry::general, Flavour::dominant, seed), seed), seed);
  }
}

TYPED_TEST(ScalingInvarianceOf, HoldsForWaysOfScalingThatAreAskedFor) {
  using S = TypeParam;
  StageOptions options = bounding_options();
  for (const ScalingKind kind : {ScalingKind::equilibrate, ScalingKind::matching}) {
    options.solver.scaling = kind;
    for (std::uint64_t seed = 1; seed <= num_seeds(3); ++seed) {
      SCOPED_TRACE(::testing::Message() << to_string(kind) << ", seed " << seed);
      const auto matrix = testing::random_matrix<S>(80, 3, Symmetry::general, Flavour::zero_diagonal, seed);
      for (const SparseMatrix<S>& each : {matrix, with_shuffled_rows(matrix, seed),
                                          testing::random_matrix<S>(80, 3, Symmetry::symmetric, Flavour::zero_diagonal, seed)}) {
        expect_invariance(each, seed, options, kLargestExponent<S>, false);
      }
    }
  }
}

// [0 B; B^T 0] has no diagonal to start from.
TYPED_TEST(ScalingInvarianceOf, HoldsForSymmetricMatricesOfZerosAlongTheDiagonal) {
  using S = TypeParam;
  const auto block = testing::random_matrix<S>(30, 3, Symmetry::general, Flavour::dominant, 5);
  Triplets<S> triplets{60, 60, Symmetry::symmetric};
  testing::for_each_entry(block, [&](Index i, Index j, S value) { triplets.add(30 + i, j, value); });
  expect_invariance(compress(std::move(triplets)), 6);
}

TYPED_TEST(ScalingInvarianceOf, HoldsForRanks) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    SCOPED_TRACE(static_cast<int>(symmetry));
    Triplets<S> triplets{41, 41, symmetry};  // rank 39: an empty row and column, and two equal rows
    const auto matrix = testing::random_matrix<S>(38, 3, symmetry, Flavour::dominant, 7);
    testing::for_each_entry(matrix, [&](Index i, Index j, S value) { triplets.add(i, j, value); });
    for (const auto& [row, column] : {std::pair(38, 38), std::pair(39, 38), std::pair(38, 39), std::pair(39, 39)}) {
      if (symmetry == Symmetry::general || row >= column) {
        triplets.add(row, column, S(3));
      }
    }
    expect_invariance(compress(std::move(triplets)), 8);
  }
}

// Subnormal entries must be kept even where single precision flushes them.
TYPED_TEST(ScalingInvarianceOf, HoldsForSubnormalEntries) {
  using S = TypeParam;
  for (const auto& [symmetry, all_rows] :
       {std::pair(Symmetry::general, false), std::pair(Symmetry::general, true), std::pair(Symmetry::symmetric, true)}) {
    SCOPED_TRACE(::testing::Message() << "symmetry " << static_cast<int>(symmetry) << (all_rows ? ", all rows" : ", some rows"));
    const auto system = testing::subnormal_system<S>(12, symmetry, all_rows);
    const auto factorization = factorize<S>(system.matrix, bounding_options());
    EXPECT_EQ(factorization->report().factorization.status, FactorizationStatus::success);
    const Answer<S> answer = answer_of(*factorization, system.b, Operation::plain);
    EXPECT_EQ(answer.report.verdict, Verdict::solved) << answer.report.describe();
    EXPECT_LE(testing::largest_relative_difference(system.x, answer.x),
              100 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
  }
}

TEST(ScalingInvariance, HoldsForModelProblems) {
  for (const auto& [problem, size] :
       {std::pair(ModelProblem::circuit, 40), std::pair(ModelProblem::convection3d, 8), std::pair(ModelProblem::kkt3d, 6),
        std::pair(ModelProblem::helmholtz3d, 7), std::pair(ModelProblem::elasticity3d, 4), std::pair(ModelProblem::conv3d64, 9)}) {
    SCOPED_TRACE(std::string(model_problem_info(problem).name));
    std::visit([](const auto& matrix) { expect_invariance(matrix, 3); }, generate(problem, size, 1));
  }
}

TEST(ScalingInvariance, HoldsInMixedPrecision) {
  StageOptions options = bounding_options();
  options.solver.mixed_precision = true;
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
    SCOPED_TRACE(static_cast<int>(flavour));
    expect_invariance(testing::random_matrix<double>(60, 3, Symmetry::general, flavour, 4), 5, options);
  }
}

TEST(ScalingInvariance, HoldsInBlocks) {
  StageOptions options = bounding_options();
  options.solver.analysis.block_triangular = Use::always;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto matrix = testing::reducible_matrix<double>({1, 9, 1, 30, 5, 1, 1}, 2, testing::Shuffle::apart, seed);
    ASSERT_TRUE(analyse<double>(matrix, options)->symbolic().blocks().splits());
    expect_invariance(matrix, seed, options);
  }
}

// Returns the largest exponent of row and column scales that keeps every entry in the range of double.
template <class S>
int room_for_exponents(const SparseMatrix<S>& matrix) {
  int room = kLargestExponent<S>;
  for (const S value : matrix.values) {
    if (value != S(0)) {
      const double parts[] = {std::abs(std::real(value)), std::abs(std::imag(value))};
      for (const double part : parts) {
        room = part > 0 ? std::min({room, (1020 - std::ilogb(part)) / 2, (960 + std::ilogb(part)) / 2}) : room;
      }
    }
  }
  return room;
}

// The matrices have a clear rank: if singular values leave it open, each scaling may find another one.
TEST(ScalingInvariance, HoldsForRealMatrices) {
  if (!is_one_process()) {
    GTEST_SKIP() << "one process tests them";
  }
  const char* const folder = std::getenv("FROND_MATRIX_DIR");
  for (const char* name :
       {"qh1484.mtx", "lhr01.mtx.gz", "sherman2.mtx.gz", "plsk1919.mtx", "utm5940.mtx.gz", "tols2000.mtx", "rajat19.mtx",
        "bips98_606.mtx.gz", "kkt_KSIP.mtx.gz", "c-29.mtx.gz", "laser.mtx.gz", "kkt_UBH1.mtx.gz"}) {
    SCOPED_TRACE(name);
    const std::filesystem::path path = std::filesystem::path(folder == nullptr ? "" : folder) / name;
    if (!std::filesystem::exists(path)) {
      GTEST_SKIP() << "no real matrices: FROND_MATRIX_DIR has no " << name;
    }
    std::visit(
        [](const auto& matrix) {
          const int largest_exponent = room_for_exponents(matrix);
          EXPECT_GE(largest_exponent, 200);
          StageOptions options = bounding_options();
          options.solver.analysis.block_triangular = Use::never;
          expect_invariance(matrix, 4, options, largest_exponent);
          options.solver.analysis.block_triangular = Use::automatic;
          if (analyse(SystemMatrix(matrix), options)->symbolic().blocks().splits()) {
            expect_invariance(matrix, 4, options, largest_exponent, false);
          }
        },
        read_matrix(path.string()));
  }
}

}  // namespace
}  // namespace frond::stages
