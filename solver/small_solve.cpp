// SPDX-License-Identifier: BSD-3-Clause
// Plain loops; those of a single right-hand side take several columns or sums at a time, so that they wait for memory and not for
// the sum before.
#include "solver/small_solve.hpp"

#include <array>

namespace frond {
namespace {

using blas::Diagonal;
using blas::Op;
using blas::Triangle;

// The sum of x[i] a[i], with as many partial sums as hide the latency of an addition.
template <class S>
S dot(Index size, const S* x, const S* a) {
  constexpr Index kSums = 4;
  std::array<S, kSums> sums{};
  Index i = 0;
  for (; i + kSums <= size; i += kSums) {
    for (Index k = 0; k < kSums; ++k) {
      sums[static_cast<std::size_t>(k)] += x[i + k] * a[i + k];
    }
  }
  for (; i < size; ++i) {
    sums[0] += x[i] * a[i];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// y[col] -= the sum of x[i] A[i, col], for columns of A that begin at a, a + ld, ...; four of them in one pass over x.
template <class S>
void subtract_sums(Index rows, Index cols, const S* x, const S* a, Index ld, S* y) {
  constexpr Index kSums = 2;  // of each column
  Index col = 0;
  for (; col + 4 <= cols; col += 4) {
    std::array<const S*, 4> columns{};
    for (Index c = 0; c < 4; ++c) {
      columns[static_cast<std::size_t>(c)] = a + static_cast<Count>(col + c) * ld;
    }
    std::array<std::array<S, kSums>, 4> sums{};
    Index i = 0;
    for (; i + kSums <= rows; i += kSums) {
      for (std::size_t c = 0; c < 4; ++c) {
        for (Index k = 0; k < kSums; ++k) {
          sums[c][static_cast<std::size_t>(k)] += x[i + k] * columns[c][i + k];
        }
      }
    }
    for (std::size_t c = 0; c < 4; ++c) {
      const S last = i < rows ? x[i] * columns[c][i] : S(0);
      y[col + static_cast<Index>(c)] -= (sums[c][0] + sums[c][1]) + last;
    }
  }
  for (; col < cols; ++col) {
    y[col] -= dot(rows, x, a + static_cast<Count>(col) * ld);
  }
}

// y -= A x, for columns of A that begin at a, a + ld, ...; four of them in one pass over y.
template <class S>
void subtract_columns(Index rows, Index cols, const S* a, Index ld, const S* x, S* y) {
  Index col = 0;
  for (; col + 4 <= cols; col += 4) {
    const S* a0 = a + static_cast<Count>(col) * ld;
    const S* a1 = a0 + ld;
    const S* a2 = a1 + ld;
    const S* a3 = a2 + ld;
    for (Index i = 0; i < rows; ++i) {
      y[i] -= (a0[i] * x[col] + a1[i] * x[col + 1]) + (a2[i] * x[col + 2] + a3[i] * x[col + 3]);
    }
  }
  for (; col < cols; ++col) {
    const S* from = a + static_cast<Count>(col) * ld;
    for (Index i = 0; i < rows; ++i) {
      y[i] -= from[i] * x[col];
    }
  }
}

template <class S>
bool is_one_vector(const DenseView<S>& x) {
  return x.rows == 1 && x.ld == 1;
}

// Column `j` of T beside the diagonal.
struct Beside {
  Index begin;
  Index end;
};

Beside beside_diagonal(Triangle triangle, Index order, Index j) {
  return triangle == Triangle::lower ? Beside{j + 1, order} : Beside{0, j};
}

template <class S>
void solve_for_vector(Triangle triangle, Op op, Diagonal diagonal, const DenseView<const S>& t, S* x) {
  const bool ascends = (triangle == Triangle::lower) == (op == Op::transpose);
  for (Index step = 0; step < t.cols; ++step) {
    const Index j = ascends ? step : t.cols - 1 - step;
    const auto [begin, end] = beside_diagonal(triangle, t.cols, j);
    const S* column = t.column(j);
    S value = x[j];
    if (op == Op::none) {
      value -= dot(end - begin, x + begin, column + begin);
    }
    if (diagonal == Diagonal::stored) {
      value /= column[j];
    }
    x[j] = value;
    for (Index i = begin; i < end && op == Op::transpose; ++i) {
      x[i] -= column[i] * value;
    }
  }
}

}  // namespace

template <Scalar S>
void subtract_small_product(Op op, DenseView<const S> x, DenseView<const S> a, DenseView<S> y) {
  if (is_one_vector(x) && is_one_vector(y)) {
    if (op == Op::transpose) {
      subtract_columns<S>(a.rows, a.cols, a.data, a.ld, x.data, y.data);
    } else {
      subtract_sums<S>(a.rows, a.cols, x.data, a.data, a.ld, y.data);
    }
    return;
  }
  for (Index outer = 0; outer < a.cols; ++outer) {
    for (Index inner = 0; inner < a.rows; ++inner) {
      const S value = a(inner, outer);
      const S* from = x.column(op == Op::none ? inner : outer);
      S* to = y.column(op == Op::none ? outer : inner);
      for (Index row = 0; row < y.rows; ++row) {
        to[row] -= from[row] * value;
      }
    }
  }
}

template <Scalar S>
void solve_small_triangle(Triangle triangle, Op op, Diagonal diagonal, DenseView<const S> t, DenseView<S> x) {
  if (is_one_vector(x)) {
    solve_for_vector<S>(triangle, op, diagonal, t, x.data);
    return;
  }
  const bool ascends = (triangle == Triangle::lower) == (op == Op::transpose);
  for (Index step = 0; step < t.cols; ++step) {
    const Index j = ascends ? step : t.cols - 1 - step;
    const auto [begin, end] = beside_diagonal(triangle, t.cols, j);
    const DenseView<const S> beside = t.block(begin, j, end - begin, 1);
    const DenseView<S> column = x.columns(j, j + 1);
    if (op == Op::none) {
      subtract_small_product<S>(op, x.columns(begin, end), beside, column);
    }
    for (Index row = 0; row < x.rows && diagonal == Diagonal::stored; ++row) {
      column(row, 0) /= t(j, j);
    }
    if (op == Op::transpose) {
      subtract_small_product<S>(op, column, beside, x.columns(begin, end));
    }
  }
}

template void subtract_small_product(Op, DenseView<const float>, DenseView<const float>, DenseView<float>);
template void solve_small_triangle(Triangle, Op, Diagonal, DenseView<const float>, DenseView<float>);
template void subtract_small_product(Op, DenseView<const double>, DenseView<const double>, DenseView<double>);
template void solve_small_triangle(Triangle, Op, Diagonal, DenseView<const double>, DenseView<double>);
template void subtract_small_product(Op, DenseView<const std::complex<float>>, DenseView<const std::complex<float>>,
                                     DenseView<std::complex<float>>);
template void solve_small_triangle(Triangle, Op, Diagonal, DenseView<const std::complex<float>>, DenseView<std::complex<float>>);
template void subtract_small_product(Op, DenseView<const std::complex<double>>, DenseView<const std::complex<double>>,
                                     DenseView<std::complex<double>>);
template void solve_small_triangle(Triangle, Op, Diagonal, DenseView<const std::complex<double>>, DenseView<std::complex<double>>);

}  // namespace frond
