// SPDX-License-Identifier: BSD-3-Clause
// Solves with the triangle, then tests pivot by pivot.
#include "factorization/kernels/verify_pivots.hpp"

#include <complex>
#include <limits>

#include "factorization/kernels/triangular_solve.hpp"

namespace frond {
namespace {

// A pivot that passed its test against the entries themselves must not fail because of rounding in the quotient.
template <class R>
constexpr R kRounding = 1 + 16 * std::numeric_limits<R>::epsilon();

// A21 = L21 D op(L11)^T, so A21 op(L11)^-T is L21 D.
template <Scalar S>
void solve_with_l(const BlockDiagonal<S>& diagonal, DenseView<const S> l, DenseView<S> x) {
  solve_right<S>(diagonal.hermitian ? blas::Op::conjugate_transpose : blas::Op::transpose, blas::Diagonal::unit, l, x);
}

// Compares squares, whose limit is an ordinary number: moduli of complex numbers would take a root each. Looks at whole columns, as
// vectors.
template <Scalar S>
bool all_within(RealOf<S> limit, DenseView<const S> x) {
  const RealOf<S> square = limit * limit;
  for (Index j = 0; j < x.cols; ++j) {
    bool are_within = true;
    for (const S* value = x.column(j); value != x.column(j) + x.rows; ++value) {
      are_within &= std::norm(*value) <= square;
    }
    if (!are_within) {
      return false;
    }
  }
  return true;
}

}  // namespace

// Null pivots are judged by L21 D, the others by L21.
template <Scalar S>
Index divide_and_verify(const BlockDiagonal<S>& diagonal, Index begin, DenseView<const S> l, PivotTolerances<RealOf<S>> tolerances,
                        DenseView<S> x) {
  solve_with_l<S>(diagonal, l, x);
  const RealOf<S> limit = kRounding<RealOf<S>> / tolerances.threshold;
  for (Index k = 0; k < l.cols;) {
    const PivotKind kind = diagonal.pivots[begin + k];
    const Index end = k + (kind == PivotKind::two_by_two ? 2 : 1);
    const DenseView<S> columns = x.columns(k, end);
    if (kind == PivotKind::null && !all_within<S>(tolerances.null, columns)) {
      return k;
    }
    divide_by(diagonal, begin + k, begin + end, columns);
    if (!all_within<S>(limit, columns)) {
      return k;
    }
    k = end;
  }
  return l.cols;
}

template <Scalar S>
void divide_rows(const BlockDiagonal<S>& diagonal, Index begin, DenseView<const S> l, DenseView<S> x) {
  solve_with_l<S>(diagonal, l, x);
  for (Index k = 0; k < l.cols;) {
    const Index end = k + (diagonal.pivots[begin + k] == PivotKind::two_by_two ? 2 : 1);
    divide_by(diagonal, begin + k, begin + end, x.columns(k, end));
    k = end;
  }
}

#define FROND_INSTANTIATE(S)                                                                   \
  template void divide_rows(const BlockDiagonal<S>&, Index, DenseView<const S>, DenseView<S>); \
  template Index divide_and_verify(const BlockDiagonal<S>&, Index, DenseView<const S>, PivotTolerances<RealOf<S>>, DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
