// SPDX-License-Identifier: BSD-3-Clause
// Computes maxima over the pivot rows.
#include "factorization/kernels/pivot_growth.hpp"

#include <algorithm>
#include <complex>

#include "factorization/kernels/magnitude.hpp"

namespace frond {
namespace {

template <Scalar S>
RealOf<S> largest_of_lu(const FrontFactor<S>& front) {
  RealOf<S> largest = 0;
  const Index e = front.num_eliminated;
  for (Index j = 0; j < front.num_fully_summed; ++j) {
    const bool is_null = j < e && front.pivots[j] == PivotKind::null;  // its diagonal is a one
    largest = std::max(largest, max_magnitude(std::min(is_null ? j : j + 1, e), front.lower + front.layout.column_offset(j)));
  }
  for (Index k = 0; front.upper != nullptr && k < e; ++k) {
    largest = std::max(largest, max_magnitude(front.cb_order(), front.upper + static_cast<Count>(k) * front.cb_order()));
  }
  return largest;
}

// Returns the largest entry of the rows k and k + 1 of D op(L)^T for a 2x2 pivot.
template <Scalar S>
RealOf<S> largest_of_two(const BlockDiagonal<S>& diagonal, Index k, Index n, const S* first, const S* second) {
  const S d11 = diagonal.d[2 * k];
  const S d21 = diagonal.d[2 * k + 1];
  const S d22 = diagonal.d[2 * k + 2];
  const S d12 = diagonal.adjoint(d21);
  RealOf<S> largest = 0;
  for (Index i = 0; i < n; ++i) {
    const S x = diagonal.adjoint(first[i]);
    const S y = diagonal.adjoint(second[i]);
    largest = std::max({largest, magnitude_bound(d11 * x + d12 * y), magnitude_bound(d21 * x + d22 * y)});
  }
  return largest;
}

template <Scalar S>
RealOf<S> largest_of_one(const BlockDiagonal<S>& diagonal, Index k, Index n, const S* column) {
  const S d = diagonal.d[2 * k];
  if (!kIsComplex<S> || diagonal.hermitian) {  // d is real
    return magnitude_bound(d) * max_magnitude(n, column);
  }
  RealOf<S> largest = 0;
  for (Index i = 0; i < n; ++i) {
    largest = std::max(largest, magnitude_bound(d * column[i]));
  }
  return largest;
}

// Returns the same for the pivot at position k, for n entries of its one column or two columns of L.
template <Scalar S>
RealOf<S> largest_of_pivot(const BlockDiagonal<S>& diagonal, Index k, Index n, const S* first, const S* second) {
  return diagonal.pivots[k] == PivotKind::two_by_two ? largest_of_two(diagonal, k, n, first, second)
                                                     : largest_of_one(diagonal, k, n, first);
}

// Returns the largest entry of the block of D itself, where L is the identity.
template <Scalar S>
RealOf<S> largest_of_block(const BlockDiagonal<S>& diagonal, Index k) {
  const S* d = diagonal.d + 2 * k;
  return diagonal.pivots[k] == PivotKind::two_by_two
             ? std::max({magnitude_bound(d[0]), magnitude_bound(d[1]), magnitude_bound(d[2])})
             : magnitude_bound(d[0]);
}

template <Scalar S>
RealOf<S> largest_of_ldlt(const FrontFactor<S>& front, bool hermitian) {
  const BlockDiagonal<S> diagonal{front.d, front.pivots, hermitian};
  RealOf<S> largest = 0;
  for (Index k = 0; k < front.num_eliminated; ++k) {
    if (front.pivots[k] == PivotKind::null || front.pivots[k] == PivotKind::second_of_two) {
      continue;
    }
    const Index end = k + (front.pivots[k] == PivotKind::two_by_two ? 2 : 1);
    const S* column = front.lower + front.layout.column_offset(k) + end;
    const S* next = end == k + 2 ? front.lower + front.layout.column_offset(k + 1) + end : nullptr;
    largest = std::max({largest, largest_of_block(diagonal, k), largest_of_pivot(diagonal, k, front.order - end, column, next)});
  }
  return largest;
}

}  // namespace

template <Scalar S>
RealOf<S> largest_pivot_entry(const FrontFactor<S>& front, Method method) {
  switch (method) {
    case Method::lu:
      return largest_of_lu(front);
    case Method::ldlt:
    case Method::ldlh:
      return largest_of_ldlt(front, method == Method::ldlh);
    case Method::cholesky:
      break;
  }
  return 0;
}

template <Scalar S>
RealOf<S> largest_of_scaled_rows(const BlockDiagonal<S>& diagonal, DenseView<const S> l) {
  RealOf<S> largest = 0;
  for (Index k = 0; k < l.cols; ++k) {
    if (diagonal.pivots[k] == PivotKind::null || diagonal.pivots[k] == PivotKind::second_of_two) {
      continue;
    }
    const S* next = diagonal.pivots[k] == PivotKind::two_by_two ? l.column(k + 1) : nullptr;
    largest = std::max(largest, largest_of_pivot(diagonal, k, l.rows, l.column(k), next));
  }
  return largest;
}

#define FROND_INSTANTIATE(S)                                             \
  template RealOf<S> largest_pivot_entry(const FrontFactor<S>&, Method); \
  template RealOf<S> largest_of_scaled_rows(const BlockDiagonal<S>&, DenseView<const S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
