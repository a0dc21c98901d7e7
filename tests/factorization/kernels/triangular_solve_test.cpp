// SPDX-License-Identifier: BSD-3-Clause
// Tests triangular solves by multiplying back in double precision.
#include "factorization/kernels/triangular_solve.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "frond/dense.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/oracles/dense_oracle.hpp"

namespace frond::test {
namespace {

constexpr Index kOrders[] = {1, 2, 15, 16, 17, 31, 32, 33, 100, 128, 129, 300};
constexpr Index kOtherSizes[] = {1, 7, 63, 64, 65, 128, 129, 260};

template <class S>
class TriangularSolveTest : public ::testing::Test {
 protected:
  std::uint64_t seed_ = std::random_device{}();
  std::mt19937_64 random_{seed_};

  S entry() {
    std::uniform_real_distribution<double> in_range(-1, 1);
    if constexpr (kIsComplex<S>) {
      return S(static_cast<RealOf<S>>(in_range(random_)), static_cast<RealOf<S>>(in_range(random_)));
    } else {
      return static_cast<S>(in_range(random_));
    }
  }

  DenseMatrix<S> random_matrix(Index rows, Index cols) {
    DenseMatrix<S> matrix(rows, cols);
    for (S& value : matrix.values) {
      value = entry();
    }
    return matrix;
  }

  // Entries outside the lower triangle, and the diagonal if it is taken as one, are NaN. Small entries keep the condition number
  // small.
  DenseMatrix<S> triangle(Index order, blas::Diagonal diagonal) {
    DenseMatrix<S> l = random_matrix(order, order);
    for (Index j = 0; j < order; ++j) {
      for (Index i = 0; i < order; ++i) {
        l(i, j) /= static_cast<RealOf<S>>(order);
      }
      l(j, j) += S(2);
      for (Index i = 0; i < j + (diagonal == blas::Diagonal::unit ? 1 : 0); ++i) {
        l(i, j) = std::numeric_limits<RealOf<S>>::quiet_NaN();
      }
    }
    return l;
  }

  static Wide<S> lower_entry(const DenseMatrix<S>& l, blas::Diagonal diagonal, Index i, Index j) {
    return i < j ? Wide<S>(0) : i == j && diagonal == blas::Diagonal::unit ? Wide<S>(1) : Wide<S>(l(i, j));
  }

  static double tolerance(Index order) { return 40.0 * order * std::numeric_limits<RealOf<S>>::epsilon(); }
};
TYPED_TEST_SUITE(TriangularSolveTest, Scalars);

TYPED_TEST(TriangularSolveTest, FromTheRight) {
  using S = TypeParam;
  for (const blas::Op op : {blas::Op::transpose, blas::Op::conjugate_transpose}) {
    for (const blas::Diagonal diagonal : {blas::Diagonal::unit, blas::Diagonal::stored}) {
      for (const Index order : kOrders) {
        DenseMatrix<S> l = this->triangle(order, diagonal);
        for (const Index rows : kOtherSizes) {
          SCOPED_TRACE(::testing::Message() << order << ", " << rows << " rows, seed " << this->seed_);
          const DenseMatrix<S> b = this->random_matrix(rows, order);
          DenseMatrix<S> x = b;
          solve_right<S>(op, diagonal, view_of(l), view_of(x));
          double largest = 0;
          for (Index j = 0; j < order; ++j) {
            for (Index i = 0; i < rows; i += 5) {  // X op(L), column j of which is row j of L
              Wide<S> sum = 0;
              for (Index k = 0; k <= j; ++k) {
                const Wide<S> of_l = this->lower_entry(l, diagonal, j, k);
                sum += Wide<S>(x(i, k)) * (op == blas::Op::transpose ? of_l : conjugate(of_l));
              }
              largest = std::max(largest, std::abs(sum - Wide<S>(b(i, j))));
            }
          }
          ASSERT_LE(largest, this->tolerance(order));
        }
      }
    }
  }
}

TYPED_TEST(TriangularSolveTest, FromTheLeft) {
  using S = TypeParam;
  for (const Index order : kOrders) {
    DenseMatrix<S> l = this->triangle(order, blas::Diagonal::unit);
    for (const Index cols : kOtherSizes) {
      SCOPED_TRACE(::testing::Message() << order << ", " << cols << " columns, seed " << this->seed_);
      const DenseMatrix<S> b = this->random_matrix(order, cols);
      DenseMatrix<S> x = b;
      solve_left<S>(view_of(l), view_of(x));
      double largest = 0;
      for (Index j = 0; j < cols; j += 5) {
        for (Index i = 0; i < order; ++i) {
          Wide<S> sum = 0;
          for (Index k = 0; k <= i; ++k) {
            sum += this->lower_entry(l, blas::Diagonal::unit, i, k) * Wide<S>(x(k, j));
          }
          largest = std::max(largest, std::abs(sum - Wide<S>(b(i, j))));
        }
      }
      ASSERT_LE(largest, this->tolerance(order));
    }
  }
}

TYPED_TEST(TriangularSolveTest, LeavesWhatIsAroundAsItIs) {
  using S = TypeParam;
  DenseMatrix<S> l = this->triangle(40, blas::Diagonal::unit);
  DenseMatrix<S> around = this->random_matrix(50, 90);
  const DenseMatrix<S> before = around;
  solve_left<S>(view_of(l), view_of(around).block(3, 2, 40, 80));
  solve_right<S>(blas::Op::transpose, blas::Diagonal::unit, view_of(l), view_of(around).block(5, 4, 30, 40));
  for (Index j = 0; j < 90; ++j) {
    for (Index i = 0; i < 50; ++i) {
      if (i < 3 || i >= 43 || j < 2 || j >= 82) {
        ASSERT_EQ(around(i, j), before(i, j)) << i << ' ' << j;
      }
    }
  }
}

}  // namespace
}  // namespace frond::test
