// SPDX-License-Identifier: BSD-3-Clause
// Halves the triangle until it is so small that loops over lanes solve with it, or BLAS if numbers are complex.
#include "factorization/kernels/triangular_solve.hpp"

#include <algorithm>
#include <array>

#include "factorization/kernels/lanes.hpp"

namespace frond {
namespace {

constexpr Index kLeafOrder = 16;        // smaller ones cost more calls than they save
constexpr Index kCachedOrder = 128;     // up to here as many rows at a time ...
constexpr Index kCachedRows = 128;      // ... as stay in cache with the triangle
constexpr Index kTransposedOrder = 32;  // from the left, triangles are solved with from the right, ...
constexpr Index kTransposedCols = 64;   // ... this many columns at a time

// X := X L^-T for the rows of X from `row` on that Vectors vectors hold.
template <int Vectors, class S>
void solve_rows_right(blas::Diagonal diagonal, const DenseView<const S>& l, const DenseView<S>& x, Index row) {
  using L = Lanes<S>;
  for (Index j = 0; j < x.cols; ++j) {
    std::array<typename L::Vector, Vectors> values;
    S* to = x.column(j) + row;
    for (Index v = 0; v < Vectors; ++v) {
      values[v] = L::load(to + v * L::kCount);
    }
    for (Index k = 0; k < j; ++k) {
      const S* from = x.column(k) + row;
      for (Index v = 0; v < Vectors; ++v) {
        values[v] -= L::load(from + v * L::kCount) * l(j, k);
      }
    }
    for (Index v = 0; v < Vectors; ++v) {
      L::store(diagonal == blas::Diagonal::stored ? values[v] / l(j, j) : values[v], to + v * L::kCount);
    }
  }
}

// The same for the last rows, fewer than a vector holds.
template <class S>
void solve_last_rows_right(blas::Diagonal diagonal, const DenseView<const S>& l, const DenseView<S>& x, Index row) {
  for (; row < x.rows; ++row) {
    for (Index j = 0; j < x.cols; ++j) {
      S value = x(row, j);
      for (Index k = 0; k < j; ++k) {
        value -= x(row, k) * l(j, k);
      }
      x(row, j) = diagonal == blas::Diagonal::stored ? value / l(j, j) : value;
    }
  }
}

// BLAS takes longer for a triangle of a few columns, in single precision most of all.
template <class S>
void solve_right_by_lanes(blas::Diagonal diagonal, const DenseView<const S>& l, const DenseView<S>& x) {
  constexpr Index kCount = Lanes<S>::kCount;
  Index row = 0;
  for (; row + 4 * kCount <= x.rows; row += 4 * kCount) {
    solve_rows_right<4>(diagonal, l, x, row);
  }
  for (; row + kCount <= x.rows; row += kCount) {
    solve_rows_right<1>(diagonal, l, x, row);
  }
  solve_last_rows_right(diagonal, l, x, row);
}

// Returns the order of the first part of a triangle: a multiple of what registers hold.
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
  if (order <= kLeafOrder && !kIsComplex<S>) {
    solve_right_by_lanes(diagonal, l, x);
  } else if (order <= kLeafOrder) {
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

#define FROND_INSTANTIATE(S)                                                             \
  template void solve_right(blas::Op, blas::Diagonal, DenseView<const S>, DenseView<S>); \
  template void solve_left(DenseView<const S>, DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
