// SPDX-License-Identifier: BSD-3-Clause
// Tests bounds of the rank by single entries and a dense core, against elimination modulo a prime.
#include "solver/numerics/verdict/structural_core.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/support/matrices/low_rank_matrices.hpp"
#include "tests/support/matrices/scalars.hpp"

namespace frond {
namespace {

using testing::as_sparse;
using testing::IntegerMatrix;
using testing::rank_of;

template <Scalar S>
RankProof bounds_of(const SparseMatrix<S>& matrix) {
  return bound_rank_by_core(matrix.view(), 2);
}

template <Scalar S>
void expect_known(const SparseMatrix<S>& matrix, Index rank) {
  const RankProof proof = bounds_of(matrix);
  EXPECT_EQ(proof.lowest, rank);
  EXPECT_EQ(proof.highest, rank);
}

// Returns entries of magnitude 1 or 2, drawn up to `largest`, in few rows, some of which are sums of others; zeros are stored.
IntegerMatrix few_rows(Index order, Symmetry symmetry, std::int64_t largest, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&random](Index n) { return static_cast<Index>(random() % static_cast<std::uint64_t>(n)); };
  const auto n = static_cast<std::size_t>(order);
  IntegerMatrix matrix{order, symmetry, std::vector<std::int64_t>(n * n)};
  const auto add = [&](Index row, Index col, std::int64_t value) {
    matrix.entries[static_cast<std::size_t>(row) + static_cast<std::size_t>(col) * n] += value;
    if (symmetry != Symmetry::general && row != col) {
      matrix.entries[static_cast<std::size_t>(col) + static_cast<std::size_t>(row) * n] += value;
    }
  };
  const Index num_rows = order / 3;
  for (Index row = 0; row < num_rows; ++row) {
    for (Index count = below(9); count > 0; --count) {
      add(row, below(order), largest == 1 ? 1 : static_cast<std::int64_t>(below(5)) - 2);
    }
  }
  for (Index row = num_rows; symmetry == Symmetry::general && row + 3 < order && row < 2 * num_rows; row += 3) {
    const Index first = below(num_rows);
    const Index second = below(num_rows);
    for (Index col = 0; col < order; ++col) {
      add(row, col, matrix(first, col) + matrix(second, col));
    }
  }
  return matrix;
}

template <class S>
class StructuralCore : public ::testing::Test {};
TYPED_TEST_SUITE(StructuralCore, test::Scalars);

TYPED_TEST(StructuralCore, HasTheRankThatEliminationModuloAPrimeFinds) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    for (const std::int64_t largest : {1, 2}) {
      for (std::uint64_t seed = 1; seed <= 24; ++seed) {
        SCOPED_TRACE(::testing::Message() << "symmetric " << (symmetry != Symmetry::general) << ", " << largest << ", seed "
                                          << seed);
        const IntegerMatrix exact = few_rows(static_cast<Index>(5 * seed), symmetry, largest, seed);
        expect_known(as_sparse<TypeParam>(exact), rank_of(exact));
      }
    }
  }
}

// Scales by powers of 2, so that the rank does not change.
TYPED_TEST(StructuralCore, DoesNotDependOnUnits) {
  const int most = std::is_same_v<RealOf<TypeParam>, float> ? 25 : 200;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const IntegerMatrix exact = few_rows(100, Symmetry::general, 2, seed);
    SparseMatrix<TypeParam> matrix = as_sparse<TypeParam>(exact);
    std::mt19937_64 random(seed);
    std::vector<int> exponents(200);
    std::generate(exponents.begin(), exponents.end(), [&] { return static_cast<int>(random() % (2 * most + 1)) - most; });
    for (std::size_t k = 0; k < matrix.values.size(); ++k) {  // all 100 entries of a column are stored
      matrix.values[k] *= std::ldexp(RealOf<TypeParam>(1), exponents[k % 100] + exponents[100 + k / 100]);
    }
    expect_known(matrix, rank_of(exact));
  }
}

TYPED_TEST(StructuralCore, MayBeAllOrNothing) {
  using S = TypeParam;
  expect_known(SparseMatrix<S>{}, 0);
  expect_known(compress(Triplets<S>{1, 1, Symmetry::general, {}, {}, {}}), 0);
  expect_known(compress(Triplets<S>{1, 1, Symmetry::general, {0}, {0}, {S(0)}}), 0);
  expect_known(compress(Triplets<S>{1, 1, Symmetry::general, {0}, {0}, {S(3)}}), 1);
  expect_known(compress(Triplets<S>{3, 3, Symmetry::symmetric, {1, 2}, {0, 1}, {S(2), S(5)}}), 2);
  const IntegerMatrix dense = testing::low_rank_matrix(30, 0, Symmetry::general, 1);
  expect_known(as_sparse<S>(dense), 30);
  const IntegerMatrix deficient = testing::low_rank_matrix(12, 4, Symmetry::general, 1);
  expect_known(as_sparse<S>(deficient), 8);
}

// For [1 1; 1 1 + d], tau rho = 128 eps / d, and (-1, 1) leaves a backward error of d / (2 + d).
TYPED_TEST(StructuralCore, StaysInDoubtNextToASingularOne) {
  using S = TypeParam;
  using R = RealOf<S>;
  const auto bounds = [](R difference) {
    const S last = S(R(1) + difference * std::numeric_limits<R>::epsilon());
    const RankProof proof =
        bounds_of(compress(Triplets<S>{4, 4, Symmetry::general, {0, 0, 1, 1, 3}, {0, 1, 0, 1, 2}, {S(1), S(1), S(1), last, S(7)}}));
    return std::pair(proof.lowest, proof.highest);
  };
  EXPECT_EQ(bounds(32), std::pair(Index{2}, Index{2}));
  EXPECT_EQ(bounds(96), std::pair(Index{2}, Index{3}));
  EXPECT_EQ(bounds(256), std::pair(Index{3}, Index{3}));
}

// Next to the core there are an isolated entry, and an empty row and column.
TEST(LargeStructuralCore, IsBoundedByItsSize) {
  constexpr Index kOrder = 4000;
  Triplets<double> triplets{kOrder + 2, kOrder + 2};
  for (Index i = 0; i < kOrder; ++i) {
    triplets.add(i, i, 1.0);
    triplets.add(i, (i + 1) % kOrder, 1.0);
  }
  triplets.add(kOrder, kOrder, 1.0);
  const RankProof proof = bounds_of(compress(std::move(triplets)));
  EXPECT_EQ(proof.status, RankVerdict::in_doubt);
  EXPECT_EQ(proof.lowest, 1);
  EXPECT_EQ(proof.highest, kOrder + 1);
}

SystemReport heeded(const RankProof& known, const RankProof& by_core) {
  SystemReport report;
  report.factorization.null_pivots = {1, 2};
  report.rank = known;
  heed_core(by_core, 10, 8, report);
  return report;
}

TEST(BoundsOfStructuralCore, JoinThoseThatAreKnown) {
  const RankProof known{.status = RankVerdict::in_doubt, .lowest = 5, .highest = 8};
  const SystemReport decided = heeded(known, {.lowest = 7, .highest = 7, .num_vectors = 1, .number = 1e-16, .rest = 0.5});
  EXPECT_EQ(decided.rank.status, RankVerdict::singular);
  EXPECT_EQ(decided.rank.lowest, 7);
  EXPECT_EQ(decided.rank.highest, 7);
  EXPECT_EQ(decided.rank.rest, 0.5);
  ASSERT_EQ(decided.notes.size(), 1U);
  EXPECT_NE(decided.notes.front().find("the null pivots of the factors do not show it"), std::string::npos);
  const SystemReport by_structure = heeded(known, {.lowest = 8, .highest = 9});
  EXPECT_EQ(by_structure.rank.status, RankVerdict::structural);
  EXPECT_EQ(by_structure.notes.front().find("do not show"), std::string::npos);
  const SystemReport open = heeded(known, {.lowest = 6, .highest = 9});
  EXPECT_EQ(open.rank.status, RankVerdict::in_doubt);
  EXPECT_EQ(open.rank.lowest, 6);
  EXPECT_EQ(open.rank.highest, 8);
  const SystemReport contradicted = heeded(known, {.lowest = 2, .highest = 4});
  EXPECT_EQ(contradicted.rank.lowest, 5);
  EXPECT_EQ(contradicted.rank.status, RankVerdict::in_doubt);
  EXPECT_TRUE(open.notes.empty() && contradicted.notes.empty());
}

}  // namespace
}  // namespace frond
