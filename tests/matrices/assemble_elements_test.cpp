// SPDX-License-Identifier: BSD-3-Clause
// Tests elements and blocks against sums that are formed densely.
#include "frond/matrix.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "matrices/symmetry.hpp"

namespace frond {
namespace {

constexpr Symmetry kSymmetries[] = {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian};

template <class S>
class Elements : public ::testing::Test {
 protected:
  S number() {
    std::uniform_real_distribution<RealOf<S>> part(-1, 1);
    if constexpr (kIsComplex<S>) {
      const RealOf<S> real = part(random_);
      return {real, part(random_)};
    } else {
      return part(random_);
    }
  }

  // A dense, column-major matrix with the given symmetry.
  std::vector<S> square(Index k, Symmetry symmetry) {
    std::vector<S> values(static_cast<std::size_t>(k) * static_cast<std::size_t>(k));
    const auto at = [&](Index i, Index j) -> S& {
      return values[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(k)];
    };
    for (Index j = 0; j < k; ++j) {
      for (Index i = 0; i < k; ++i) {
        at(i, j) = number();
      }
    }
    if (symmetry != Symmetry::general) {
      for (Index j = 0; j < k; ++j) {
        for (Index i = 0; i < j; ++i) {
          at(i, j) = mirrored(symmetry, at(j, i));
        }
        at(j, j) = symmetry == Symmetry::skew_symmetric ? S(0)
                   : symmetry == Symmetry::hermitian    ? S(std::real(at(j, j)))
                                                        : at(j, j);
      }
    }
    return values;
  }

  // Returns all entries, of both triangles.
  static DenseMatrix<S> dense(const SparseMatrix<S>& matrix) {
    const SparseMatrix<S> whole = matrix.symmetry == Symmetry::general ? matrix : expand_to_general(matrix.view());
    DenseMatrix<S> result(whole.num_rows, whole.num_cols);
    for (Index j = 0; j < whole.num_cols; ++j) {
      for (auto k = static_cast<std::size_t>(whole.column_offsets[j]);
           k < static_cast<std::size_t>(whole.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
        result(whole.row_indices[k], j) = whole.values[k];
      }
    }
    return result;
  }

  static void expect_equal(const DenseMatrix<S>& a, const DenseMatrix<S>& b) {
    ASSERT_EQ(a.values.size(), b.values.size());
    for (std::size_t k = 0; k < a.values.size(); ++k) {
      EXPECT_LE(std::abs(a.values[k] - b.values[k]), 1e-5) << k;
    }
  }

  std::mt19937 random_{7};
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Elements, Scalars);

TYPED_TEST(Elements, AddUp) {
  using S = TypeParam;
  for (const Symmetry symmetry : kSymmetries) {
    for (const bool is_lower : {true, false}) {
      Triplets<S> matrix{9, 9, symmetry};
      DenseMatrix<S> expected(9, 9);
      for (const std::vector<Index>& variables : {std::vector<Index>{0, 5, 2}, {8, 2, 1, 5}, {4}, {}, {7, 6}, {5, 0, 2}}) {
        const auto k = static_cast<Index>(variables.size());
        const std::vector<S> values = this->square(k, symmetry);
        add_element<S>(matrix, variables, values, is_lower);
        for (Index b = 0; b < k; ++b) {
          for (Index a = 0; a < k; ++a) {
            expected(variables[a], variables[b]) +=
                values[static_cast<std::size_t>(a) + static_cast<std::size_t>(b) * static_cast<std::size_t>(k)];
          }
        }
      }
      this->expect_equal(this->dense(compress(std::move(matrix))), expected);
    }
  }
}

TYPED_TEST(Elements, OfAnotherSizeAreRefused) {
  Triplets<TypeParam> matrix{9, 9};
  const std::vector<TypeParam> values(3);
  EXPECT_THROW(add_element<TypeParam>(matrix, std::vector<Index>{1, 2}, values), UsageError);
  const std::vector<TypeParam> whole(4);
  add_element<TypeParam>(matrix, std::vector<Index>{1, 9}, whole);
  EXPECT_THROW((void)compress(std::move(matrix)), UsageError);
}

TYPED_TEST(Elements, BlockRowsAreThoseOfTheWhole) {
  using S = TypeParam;
  for (const Symmetry symmetry : kSymmetries) {
    for (const Index size : {1, 3}) {
      const Index num_rows = 4;
      const std::vector<Count> offsets{0, 1, 1, 4, 6};
      const std::vector<Index> columns{0, 2, 0, 1, 3, 0};
      std::vector<S> values;
      DenseMatrix<S> expected(num_rows * size, num_rows * size);
      for (Index row = 0; row < num_rows; ++row) {
        for (auto k = static_cast<std::size_t>(offsets[row]);
             k < static_cast<std::size_t>(offsets[static_cast<std::size_t>(row) + 1]); ++k) {
          const std::vector<S> block = this->square(size, columns[k] == row ? symmetry : Symmetry::general);
          for (Index i = 0; i < size; ++i) {
            for (Index j = 0; j < size; ++j) {
              const S value = block[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(size)];
              values.push_back(value);
              expected(row * size + i, columns[k] * size + j) = value;
              if (symmetry != Symmetry::general && columns[k] != row) {
                expected(columns[k] * size + j, row * size + i) = mirrored(symmetry, value);
              }
            }
          }
        }
      }
      this->expect_equal(this->dense(from_block_rows<S>(num_rows, size, offsets, columns, values, symmetry)), expected);
    }
  }
}

TEST(BlockRows, ThatAreNoMatrixAreRefused) {
  const std::vector<double> values(8, 1.0);
  const auto make = [&](std::vector<Count> offsets, std::vector<Index> columns, Index size = 2,
                        Symmetry symmetry = Symmetry::general) {
    return from_block_rows<double>(2, size, offsets, columns, values, symmetry);
  };
  EXPECT_EQ(make({0, 1, 2}, {0, 1}).num_rows, 4);
  EXPECT_THROW((void)make({0, 2}, {0, 1}), UsageError);
  EXPECT_THROW((void)make({0, 3, 2}, {0, 1}), UsageError);
  EXPECT_THROW((void)make({0, 1, 2}, {0, 2}), UsageError);
  EXPECT_THROW((void)make({0, 1, 2}, {0, -1}), UsageError);
  EXPECT_THROW((void)make({0, 1, 2}, {0, 1}, 3), UsageError);
  EXPECT_THROW((void)make({0, 1, 2}, {0, 1}, 0), UsageError);
  EXPECT_THROW((void)make({0, 1, 2}, {1, 0}, 2, Symmetry::symmetric), UsageError);
  EXPECT_THROW((void)from_block_rows<double>(1 << 30, 4, {}, {}, {}), UsageError);
  EXPECT_EQ(from_block_rows<double>(0, 3, std::vector<Count>{0}, {}, {}).num_rows, 0);
}

}  // namespace
}  // namespace frond
