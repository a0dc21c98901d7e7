// SPDX-License-Identifier: BSD-3-Clause
// Tests finding the symmetry of matrices that store both triangles from their values.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <random>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "tests/support/matrices/scalars.hpp"

namespace frond {
namespace {

using test::Scalars;

template <class S>
class FindSymmetry : public ::testing::Test {
 protected:
  S draw() {
    const auto real = static_cast<RealOf<S>>(static_cast<int>(random_() % 2001) - 1000.5);
    if constexpr (kIsComplex<S>) {
      return {real, static_cast<RealOf<S>>(static_cast<int>(random_() % 2001) - 1000.5)};
    } else {
      return real;
    }
  }

  // Draws one triangle.
  SparseMatrix<S> drawn(Index order, Symmetry symmetry) {
    Triplets<S> entries{.num_rows = order, .num_cols = order, .symmetry = symmetry};
    for (Index k = 0; k < 4 * order; ++k) {
      const auto i = static_cast<Index>(random_() % static_cast<unsigned>(order));
      const auto j = static_cast<Index>(random_() % static_cast<unsigned>(order));
      if (i != j) {
        entries.add(std::max(i, j), std::min(i, j), draw());
      } else if (symmetry != Symmetry::skew_symmetric) {
        entries.add(i, i, symmetry == Symmetry::hermitian ? S(std::real(draw())) : draw());
      }
    }
    return compress(std::move(entries));
  }

  // Returns the same matrix with its rows in random order.
  SparseMatrix<S> shuffled(SparseMatrix<S> matrix) {
    for (Index j = 0; j < matrix.num_cols; ++j) {
      const auto begin = static_cast<std::size_t>(matrix.column_offsets[j]);
      const auto end = static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j) + 1]);
      for (std::size_t k = begin + 1; k < end; ++k) {
        const std::size_t other = begin + random_() % (k - begin + 1);
        std::swap(matrix.row_indices[k], matrix.row_indices[other]);
        std::swap(matrix.values[k], matrix.values[other]);
      }
    }
    return matrix;
  }

  static constexpr std::array kSymmetries = {Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian};
  static bool has(Symmetry symmetry) { return kIsComplex<S> || symmetry != Symmetry::hermitian; }

  std::mt19937 random_{11};
};

TYPED_TEST_SUITE(FindSymmetry, Scalars);

TYPED_TEST(FindSymmetry, SaysWhatTheValuesAre) {
  for (const Symmetry symmetry : this->kSymmetries) {
    for (const Index order : {2, 5, 40, 300}) {
      if (!this->has(symmetry)) {
        continue;
      }
      SparseMatrix<TypeParam> matrix = this->drawn(order, symmetry);
      const SparseMatrix<TypeParam> whole = expand_to_general(matrix.view());
      if (whole.num_entries() == matrix.num_entries()) {
        continue;  // only a diagonal was drawn
      }
      for (const SparseMatrix<TypeParam>& general : {whole, this->shuffled(whole)}) {
        EXPECT_EQ(find_symmetry(general.view()), symmetry);
        const SparseMatrix<TypeParam> lower = lower_triangle(general.view(), symmetry);
        EXPECT_EQ(lower.column_offsets, matrix.column_offsets);
        EXPECT_EQ(lower.row_indices, matrix.row_indices);
        EXPECT_EQ(lower.values, matrix.values);
        EXPECT_EQ(lower.symmetry, symmetry);
      }
    }
  }
}

TYPED_TEST(FindSymmetry, IsNoneForOneEntryThatDiffersOrHasNoOther) {
  for (const Symmetry symmetry : this->kSymmetries) {
    if (!this->has(symmetry)) {
      continue;
    }
    const SparseMatrix<TypeParam> matrix = this->drawn(30, symmetry);
    const SparseMatrix<TypeParam> whole = expand_to_general(matrix.view());
    for (std::size_t k = 0; k < whole.values.size(); ++k) {
      SparseMatrix<TypeParam> other = whole;
      other.values[k] = std::nextafter(std::real(other.values[k]), RealOf<TypeParam>(0));
      const auto col = std::upper_bound(whole.column_offsets.begin(), whole.column_offsets.end(), static_cast<Count>(k)) -
                       whole.column_offsets.begin() - 1;
      if (whole.row_indices[k] != col) {  // off the diagonal
        EXPECT_EQ(find_symmetry(other.view()), Symmetry::general) << k;
        EXPECT_THROW((void)lower_triangle(other.view(), symmetry), UsageError);
        other = whole;
        other.row_indices.erase(other.row_indices.begin() + k);
        other.values.erase(other.values.begin() + k);
        std::for_each(other.column_offsets.begin() + col + 1, other.column_offsets.end(), [](Count& offset) { --offset; });
        EXPECT_EQ(find_symmetry(other.view()), Symmetry::general) << k;
        EXPECT_THROW((void)lower_triangle(other.view(), symmetry), UsageError);
      }
    }
  }
}

TYPED_TEST(FindSymmetry, PrefersWhatMayBePositiveDefinite) {
  Triplets<TypeParam> entries{.num_rows = 3, .num_cols = 3};
  for (Index i = 0; i < 3; ++i) {
    entries.add(i, i, TypeParam(2));
  }
  EXPECT_EQ(find_symmetry(compress(entries).view()), kIsComplex<TypeParam> ? Symmetry::hermitian : Symmetry::symmetric);
  EXPECT_THROW((void)lower_triangle(compress(entries).view(), Symmetry::skew_symmetric), UsageError);
  entries.values = std::vector<TypeParam>(3, TypeParam(0));  // zeros are allowed on a skew diagonal, which is not stored
  entries.add(1, 0, TypeParam(5));
  entries.add(0, 1, TypeParam(-5));
  const SparseMatrix<TypeParam> skew = compress(entries);
  EXPECT_EQ(find_symmetry(skew.view()), Symmetry::skew_symmetric);
  EXPECT_EQ(lower_triangle(skew.view(), Symmetry::skew_symmetric).num_entries(), 1);
}

TYPED_TEST(FindSymmetry, KnowsWhatHasNone) {
  const SparseMatrix<TypeParam> empty;
  EXPECT_NE(find_symmetry(empty.view()), Symmetry::general);
  SparseMatrix<TypeParam> wide;
  wide.num_rows = 1;
  wide.num_cols = 2;
  wide.column_offsets = {0, 0, 0};
  EXPECT_EQ(find_symmetry(wide.view()), Symmetry::general);
  EXPECT_THROW((void)lower_triangle(wide.view(), Symmetry::symmetric), UsageError);
  const SparseMatrix<TypeParam> triangle = this->drawn(20, Symmetry::symmetric);
  EXPECT_EQ(find_symmetry(triangle.view()), Symmetry::symmetric);
  EXPECT_THROW((void)lower_triangle(triangle.view(), Symmetry::symmetric), UsageError);
}

}  // namespace
}  // namespace frond
