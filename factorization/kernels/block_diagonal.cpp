// SPDX-License-Identifier: BSD-3-Clause
// Works column by column, one pivot at a time.
#include "factorization/kernels/block_diagonal.hpp"

#include <algorithm>
#include <cmath>

#include "factorization/kernels/blas.hpp"

namespace frond {

template <Scalar S>
InverseOfTwo<S>::InverseOfTwo(const BlockDiagonal<S>& diagonal, Index k) {
  const S d11 = diagonal.d[2 * k];
  const S d21 = diagonal.d[2 * k + 1];
  const S d22 = diagonal.d[2 * k + 2];
  const RealOf<S> scale = std::abs(d21);
  determinant = (d11 / scale) * (d22 / scale) - (d21 / scale) * diagonal.adjoint(d21 / scale);
  e11 = (d22 / scale) / determinant / scale;
  e22 = (d11 / scale) / determinant / scale;
  e21 = -(d21 / scale) / determinant / scale;
  e12 = -diagonal.adjoint(d21 / scale) / determinant / scale;
}

template <Scalar S>
void scale_transposed(const BlockDiagonal<S>& diagonal, Index begin, Index end, DenseView<const S> l, DenseView<S> w) {
  for (Index k = begin; k < end; ++k) {
    const Index row = k - begin;
    const S d = diagonal.d[2 * k];
    if (diagonal.pivots[k] != PivotKind::two_by_two) {
      for (Index j = 0; j < l.rows; ++j) {
        w(row, j) = d * diagonal.adjoint(l(j, row));
      }
      continue;
    }
    const S off = diagonal.d[2 * k + 1];
    const S next = diagonal.d[2 * k + 2];
    for (Index j = 0; j < l.rows; ++j) {
      const S first = diagonal.adjoint(l(j, row));
      const S second = diagonal.adjoint(l(j, row + 1));
      w(row, j) = d * first + diagonal.adjoint(off) * second;
      w(row + 1, j) = off * first + next * second;
    }
    ++k;
  }
}

template <Scalar S>
void divide_by(const BlockDiagonal<S>& diagonal, Index begin, Index end, DenseView<S> x) {
  for (Index k = begin; k < end; ++k) {
    S* first = x.column(k - begin);
    if (diagonal.pivots[k] == PivotKind::null) {
      std::fill_n(first, x.rows, S(0));
    } else if (diagonal.pivots[k] == PivotKind::one_by_one) {
      blas::scal(x.rows, S(1) / diagonal.d[2 * k], first);
    } else {
      const InverseOfTwo<S> inverse(diagonal, k);
      S* second = x.column(k + 1 - begin);
      for (Index i = 0; i < x.rows; ++i) {
        const S y = first[i];
        const S z = second[i];
        first[i] = y * inverse.e11 + z * inverse.e21;
        second[i] = y * inverse.e12 + z * inverse.e22;
      }
      ++k;
    }
  }
}

#define FROND_INSTANTIATE(S)                                                                                  \
  template struct InverseOfTwo<S>;                                                                            \
  template void scale_transposed<S>(const BlockDiagonal<S>&, Index, Index, DenseView<const S>, DenseView<S>); \
  template void divide_by<S>(const BlockDiagonal<S>&, Index, Index, DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
