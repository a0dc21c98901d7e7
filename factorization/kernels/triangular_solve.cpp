// SPDX-License-Identifier: BSD-3-Clause
// Halves the triangle until it is so small that BLAS has to solve with it.
#include "factorization/kernels/triangular_solve.hpp"

#include <algorithm>
#include <array>

namespace frond {
namespace {

constexpr Index kLeafOrder = 16;        // smaller ones cost more calls than they save
constexpr Index kCachedOrder = 128;     // up to here as many rows at a time ...
constexpr Index kCachedRows = 128;      // ... as stay in cache with the triangle
constexpr Index kTransposedOrder = 32;  // from the left, triangles are solved with from the right, ...
constexpr Index kTransposedCols = 64;   // ... so many columns at a time

// The order of the first part of a triangle: a multiple of what registers hold.
Index first_half(Index order) {
  constexpr Index kMultiple = 8;
  return (order / 2 + kMultiple - 1) / kMultiple * kMultiple;
}

template <Scalar S>
void transpose(DenseView<const S> from, DenseView<S> to) {
  for (Index j = 0; j < from.cols; ++j) {
    for (Index i = 0; i < from.rows; ++i) {
      to(j, i) = from(i, j);
    }
  }
}

}  // namespace

template <Scalar S>
void solve_right(blas::Op op, blas::Diagonal diagonal, DenseView<const S> l, DenseView<S> x) {
  const Index order = x.cols;
  if (order == 1 && diagonal == blas::Diagonal::unit) {
    return;
  }
  if (order <= kLeafOrder) {
    blas::trsm<S>(blas::Side::right, blas::Triangle::lower, op, diagonal, l, x);
  } else if (order <= kCachedOrder && x.rows > kCachedRows) {
    for (Index begin = 0; begin < x.rows; begin += kCachedRows) {
      solve_right<S>(op, diagonal, l, x.block(begin, 0, std::min(kCachedRows, x.rows - begin), order));
    }
  } else {
    const Index half = first_half(order);
    solve_right<S>(op, diagonal, l.block(0, 0, half, half), x.columns(0, half));
    blas::gemm<S>(blas::Op::none, op, S(-1), x.columns(0, half), l.block(half, 0, order - half, half), x.columns(half, order));
    solve_right<S>(op, diagonal, l.block(half, half, order - half, order - half), x.columns(half, order));
  }
}

template <Scalar S>
void solve_left(DenseView<const S> l, DenseView<S> x) {
  const Index order = x.rows;
  if (order > kTransposedOrder) {
    const Index half = first_half(order);
    const DenseView<S> first = x.block(0, 0, half, x.cols);
    const DenseView<S> second = x.block(half, 0, order - half, x.cols);
    solve_left<S>(l.block(0, 0, half, half), first);
    blas::gemm<S>(blas::Op::none, blas::Op::none, S(-1), l.block(half, 0, order - half, half), first, second);
    solve_left<S>(l.block(half, half, order - half, order - half), second);
    return;
  }
  std::array<S, static_cast<std::size_t>(kTransposedOrder) * kTransposedCols> memory;
  for (Index begin = 0; begin < x.cols; begin += kTransposedCols) {
    const DenseView<S> columns = x.columns(begin, std::min(begin + kTransposedCols, x.cols));
    const DenseView<S> transposed{memory.data(), columns.cols, order, kTransposedCols};
    transpose<S>(columns, transposed);
    solve_right<S>(blas::Op::transpose, blas::Diagonal::unit, l, transposed);
    transpose<S>(transposed, columns);
  }
}

template void solve_right(blas::Op, blas::Diagonal, DenseView<const float>, DenseView<float>);
template void solve_right(blas::Op, blas::Diagonal, DenseView<const double>, DenseView<double>);
template void solve_right(blas::Op, blas::Diagonal, DenseView<const std::complex<float>>, DenseView<std::complex<float>>);
template void solve_right(blas::Op, blas::Diagonal, DenseView<const std::complex<double>>, DenseView<std::complex<double>>);
template void solve_left(DenseView<const float>, DenseView<float>);
template void solve_left(DenseView<const double>, DenseView<double>);
template void solve_left(DenseView<const std::complex<float>>, DenseView<std::complex<float>>);
template void solve_left(DenseView<const std::complex<double>>, DenseView<std::complex<double>>);

}  // namespace frond
