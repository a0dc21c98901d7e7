// SPDX-License-Identifier: BSD-3-Clause
// Tests solving systems assembled from finite elements or blocks, against sums by plain loops.
#include "tests/support/matrices/finite_elements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::SquareOfElements;

template <class S>
class FiniteElementsOf : public ::testing::Test {
 protected:
  static void expect_solved(const SparseMatrix<S>& matrix, const DenseMatrix<S>& dense) {
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 2, 3);
    DenseMatrix<S> x(matrix.num_rows, 2);
    EXPECT_EQ(Factorization<S>(analyze<S>(matrix), matrix).solve(view_of(b), view_of(x)).verdict, Verdict::solved);
    EXPECT_LE(testing::dense_backward_error(dense, x, b), 10 * std::numeric_limits<RealOf<S>>::epsilon());
  }

  static std::vector<Symmetry> symmetries() {
    return kIsComplex<S> ? std::vector{Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}
                         : std::vector{Symmetry::general, Symmetry::symmetric};
  }
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FiniteElementsOf, Scalars);

TYPED_TEST(FiniteElementsOf, AreSolvedOnceAssembled) {
  for (const Symmetry symmetry : this->symmetries()) {
    SCOPED_TRACE(static_cast<int>(symmetry));
    const SquareOfElements<TypeParam> elements(9, symmetry);
    Triplets<TypeParam> matrix = elements.nothing();
    for (Index element = 0; element < elements.num_elements(); ++element) {
      elements.add_to(matrix, element);
    }
    this->expect_solved(compress(std::move(matrix)), elements.sum());
  }
}

// A chain of blocks of order 3, each coupled with the next.
TYPED_TEST(FiniteElementsOf, BlockRowsAreSolved) {
  using S = TypeParam;
  constexpr Index kBlock = 3;
  constexpr Index kNumBlocks = 20;
  for (const Symmetry symmetry : this->symmetries()) {
    SCOPED_TRACE(static_cast<int>(symmetry));
    std::vector<Count> offsets = {0};
    std::vector<Index> columns;
    std::vector<S> values;
    DenseMatrix<S> dense(kBlock * kNumBlocks, kBlock * kNumBlocks);
    const auto add = [&](Index row, Index col, S value) {
      values.push_back(value);
      dense(row, col) += value;
      if (symmetry != Symmetry::general && row / kBlock != col / kBlock) {
        dense(col, row) += symmetry == Symmetry::hermitian ? conjugate(value) : value;
      }
    };
    for (Index i = 0; i < kNumBlocks; ++i) {
      const Index last = symmetry == Symmetry::general ? std::min(i + 1, kNumBlocks - 1) : i;
      for (Index j = std::max(i - 1, Index{0}); j <= last; ++j) {
        columns.push_back(j);
        for (Index a = 0; a < kBlock; ++a) {  // blocks are given row by row
          for (Index b = 0; b < kBlock; ++b) {
            S value = S(i == j && a == b ? 20 : 1);
            if constexpr (kIsComplex<S>) {
              value += S(0, static_cast<RealOf<S>>(i != j ? a + 2 * b : symmetry == Symmetry::symmetric ? a * b : a - b) / 4);
            }
            add(kBlock * i + a, kBlock * j + b, value);
          }
        }
      }
      offsets.push_back(static_cast<Count>(columns.size()));
    }
    this->expect_solved(from_block_rows<S>(kNumBlocks, kBlock, offsets, columns, values, symmetry), dense);
  }
}

}  // namespace
}  // namespace frond
