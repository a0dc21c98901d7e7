// SPDX-License-Identifier: BSD-3-Clause
// Tests the solves of one front against their definition, entry by entry, on hand-made factors.
#include "solver/numerics/sweeps/front_solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "frond/dense.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

// A front of order m with p fully summed and e eliminated variables. Besides the packed factors it holds dense ones: `first` is m x
// e with the factor of the forward solve, `second` m x e with the transposed factor of the backward solve.
template <Scalar S>
class HandMadeFront {
 public:
  HandMadeFront(Method method, SolveSide side, Index m, Index p, Index e, Index width) : first_(m, e), second_(m, e) {
    factor_.order = m;
    factor_.num_fully_summed = p;
    factor_.num_eliminated = e;
    factor_.layout = {m, p, method == Method::lu ? std::max(p, Index{1}) : width};
    lower_.assign(static_cast<std::size_t>(factor_.layout.size()), S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
    upper_.assign(static_cast<std::size_t>(m - p) * p, S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
    pivots_.assign(static_cast<std::size_t>(p), PivotKind::one_by_one);
    d_.assign(2 * static_cast<std::size_t>(p), S(2));
    fill_lower(method);
    if (method == Method::lu) {
      fill_upper(side);
    }
    factor_.lower = lower_.data();
    factor_.upper = upper_.data();
    factor_.d = d_.data();
    factor_.pivots = pivots_.data();
  }

  [[nodiscard]] FrontFactor<S>& factor() { return factor_; }
  [[nodiscard]] const DenseMatrix<S>& first() const { return first_; }
  [[nodiscard]] const DenseMatrix<S>& second() const { return second_; }

 private:
  // Fills L, or M of LU; its unit diagonal is not stored, except by Cholesky.
  void fill_lower(Method method) {
    const DenseMatrix<S> random = testing::random_dense<S>(factor_.order, factor_.num_eliminated, 11);
    for (Index j = 0; j < factor_.num_eliminated; ++j) {
      const S diagonal = method == Method::cholesky ? S(2) : S(1);
      for (Index i = j; i < factor_.order; ++i) {
        const S value = i == j ? diagonal : random(i, j) / static_cast<RealOf<S>>(factor_.order);
        first_(i, j) = second_(i, j) = value;
        if (i > j || method == Method::cholesky) {
          lower_[factor_.layout.column_offset(j) + i] = value;
        }
      }
    }
  }

  // Fills N: N^T replaces M in the backward solve of A^T and in the forward solve of A.
  void fill_upper(SolveSide side) {
    DenseMatrix<S>& target = side == SolveSide::plain ? first_ : second_;
    const DenseMatrix<S> random = testing::random_dense<S>(factor_.order, factor_.num_eliminated, 12);
    const Index p = factor_.num_fully_summed;
    for (Index k = 0; k < factor_.num_eliminated; ++k) {
      for (Index j = k; j < factor_.order; ++j) {
        const S value = j == k ? S(2) : random(j, k) / static_cast<RealOf<S>>(factor_.order);
        target(j, k) = value;
        const Count position =
            j < p ? static_cast<Count>(j) * factor_.order + k : j - p + static_cast<Count>(k) * (factor_.order - p);
        (j < p ? lower_ : upper_)[position] = value;
      }
    }
  }

  FrontFactor<S> factor_;
  std::vector<S> lower_;
  std::vector<S> upper_;
  std::vector<S> d_;
  std::vector<PivotKind> pivots_;
  DenseMatrix<S> first_;
  DenseMatrix<S> second_;
};

// f^T := [F11 0; F21 I]^-1 f^T
template <Scalar S>
void naive_forward(const DenseMatrix<S>& factor, DenseMatrix<S>& f) {
  for (Index c = 0; c < f.num_rows; ++c) {
    for (Index j = 0; j < factor.num_cols; ++j) {
      f(c, j) /= factor(j, j);
      for (Index i = j + 1; i < factor.num_rows; ++i) {
        f(c, i) -= factor(i, j) * f(c, j);
      }
    }
  }
}

// f1^T := F11^-T (f1^T - F21^T f2^T)
template <Scalar S>
void naive_backward(const DenseMatrix<S>& factor, DenseMatrix<S>& f) {
  for (Index c = 0; c < f.num_rows; ++c) {
    for (Index j = factor.num_cols; j-- > 0;) {
      for (Index i = j + 1; i < factor.num_rows; ++i) {
        f(c, j) -= factor(i, j) * f(c, i);
      }
      f(c, j) /= factor(j, j);
    }
  }
}

template <Scalar S>
double largest_difference(const DenseMatrix<S>& a, const DenseMatrix<S>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    const double difference = std::abs(a.values[k] - b.values[k]);
    largest = std::isnan(difference) ? difference : std::max(largest, difference);
  }
  return largest;
}

struct Shape {
  Index m;
  Index p;
  Index e;
  Index width;
};

template <class S>
class FrontSolve : public ::testing::Test {
 protected:
  void compare(Method method, SolveSide side, Shape shape, Index num_rhs) {
    SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << " side " << static_cast<int>(side) << " m "
                                      << shape.m << " p " << shape.p << " e " << shape.e << " width " << shape.width << " rhs "
                                      << num_rhs);
    HandMadeFront<S> front(method, side, shape.m, shape.p, shape.e, shape.width);
    DenseMatrix<S> f = testing::random_dense<S>(num_rhs, shape.m, 13);
    DenseMatrix<S> expected = f;
    const double tolerance = 100 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
    forward_solve(front.factor(), method, side, view_of(f));
    naive_forward(front.first(), expected);
    EXPECT_LE(largest_difference(f, expected), tolerance);
    f = expected;
    backward_solve(front.factor(), method, side, view_of(f));
    naive_backward(front.second(), expected);
    EXPECT_LE(largest_difference(f, expected), tolerance);
  }
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FrontSolve, Scalars);

// Small and large fronts, with and without delayed variables, panels narrower and wider than a block, roots, nothing eliminated.
constexpr Shape kShapes[] = {{1, 1, 1, 1},    {5, 3, 3, 2},        {9, 6, 4, 4},         {8, 2, 2, 2},
                             {13, 7, 7, 7},   {21, 6, 6, 6},       {23, 5, 5, 8},        {40, 40, 40, 16},
                             {70, 30, 0, 32}, {300, 280, 270, 96}, {300, 280, 270, 300}, {2500, 200, 170, 512}};

TYPED_TEST(FrontSolve, AgreesWithItsDefinition) {
  for (const Shape& shape : kShapes) {
    for (const Index num_rhs : {1, 3, 20}) {
      this->compare(Method::cholesky, SolveSide::plain, shape, num_rhs);
      this->compare(Method::ldlt, SolveSide::plain, shape, num_rhs);
      this->compare(Method::lu, SolveSide::plain, shape, num_rhs);
      this->compare(Method::lu, SolveSide::transposed, shape, num_rhs);
    }
  }
}

// The columns after the eliminated ones are undefined.
TYPED_TEST(FrontSolve, RowsOfASlaveAgreeWithTheirDefinition) {
  using S = TypeParam;
  const double tolerance = 100 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  for (const auto& [rows, p, e] : {std::array<Index, 3>{1, 1, 1}, {3, 5, 2}, {700, 90, 80}}) {
    for (const Index num_rhs : {1, 3, 20}) {
      DenseMatrix<S> factor = testing::random_dense<S>(rows, p, 1);
      std::fill(factor.values.begin() + rows * e, factor.values.end(), S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
      const RowFactor<S> slave{0, e, view_of(factor)};
      DenseMatrix<S> x = testing::random_dense<S>(num_rhs, e, 2);
      DenseMatrix<S> f = testing::random_dense<S>(num_rhs, rows, 3);
      DenseMatrix<S> expected_x = x;
      DenseMatrix<S> expected_f = f;
      for (Index c = 0; c < num_rhs; ++c) {
        for (Index k = 0; k < e; ++k) {
          for (Index i = 0; i < rows; ++i) {
            expected_f(c, i) -= x(c, k) * factor(i, k);
            expected_x(c, k) -= f(c, i) * factor(i, k);
          }
        }
      }
      DenseMatrix<S> new_f = f;
      subtract_forward<S>(slave, view_of(x), view_of(new_f));
      subtract_backward<S>(slave, view_of(f), view_of(x));
      EXPECT_LE(largest_difference(new_f, expected_f), tolerance * e);
      EXPECT_LE(largest_difference(x, expected_x), tolerance * rows);
    }
  }
}

TYPED_TEST(FrontSolve, SolvesWithPivotsOfBothSizesAndNone) {
  using S = TypeParam;
  for (const Method method : {Method::ldlt, Method::ldlh}) {
    HandMadeFront<S> front(method, SolveSide::plain, 4, 4, 4, 4);
    FrontFactor<S>& factor = front.factor();
    factor.pivots[1] = PivotKind::two_by_two;
    factor.pivots[2] = PivotKind::second_of_two;
    factor.pivots[3] = PivotKind::null;
    S below = S(3);
    if constexpr (kIsComplex<S>) {
      below = S(3, 1);
    }
    const S above = method == Method::ldlh ? conjugate(below) : below;
    const S d[8] = {S(2), S(0), S(1), below, S(-1), S(0), S(0), S(0)};
    std::copy(d, d + 8, factor.d);
    DenseMatrix<S> f(1, 4);
    const S x1 = S(5);
    const S x2 = S(7);
    f(0, 0) = S(4);
    f(0, 1) = S(1) * x1 + above * x2;
    f(0, 2) = below * x1 - x2;
    f(0, 3) = S(9);
    diagonal_solve(factor, method, view_of(f));
    EXPECT_EQ(f(0, 0), S(2));
    EXPECT_LT(std::abs(f(0, 1) - x1), 1e-5);
    EXPECT_LT(std::abs(f(0, 2) - x2), 1e-5);
    EXPECT_EQ(f(0, 3), S(0));
  }
}

TYPED_TEST(FrontSolve, LeavesOnlyNullPivotsOfLuToTheDiagonal) {
  using S = TypeParam;
  HandMadeFront<S> front(Method::lu, SolveSide::plain, 3, 3, 3, 3);
  front.factor().pivots[1] = PivotKind::null;
  DenseMatrix<S> f(2, 3);
  std::fill(f.values.begin(), f.values.end(), S(6));
  diagonal_solve(front.factor(), Method::lu, view_of(f));
  EXPECT_EQ(f.values, (std::vector<S>{S(6), S(6), S(0), S(0), S(6), S(6)}));
}

}  // namespace
}  // namespace frond
