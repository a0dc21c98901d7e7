// SPDX-License-Identifier: BSD-3-Clause
// Cuts the diagonal block into strips so that little is computed above the diagonal.
#include "factorization/kernels/rank_update.hpp"

#include <algorithm>

namespace frond {
namespace {

constexpr Index kStripWidth = 32;

}  // namespace

template <Scalar S>
void subtract_product_lower(blas::Op op_b, DenseView<const S> a, DenseView<const S> b, DenseView<S> c) {
  const auto b_columns = [&](Index begin, Index count) {
    return op_b == blas::Op::none ? b.block(0, begin, b.rows, count) : b.block(begin, 0, count, b.cols);
  };
  for (Index begin = 0; begin < c.cols; begin += kStripWidth) {
    const Index width = std::min(kStripWidth, c.cols - begin);
    const Index height = c.cols - begin;
    blas::gemm(blas::Op::none, op_b, S(-1), a.block(begin, 0, height, a.cols), b_columns(begin, width),
               c.block(begin, begin, height, width));
  }
  const Index below = c.rows - c.cols;
  blas::gemm(blas::Op::none, op_b, S(-1), a.block(c.cols, 0, below, a.cols), b_columns(0, c.cols),
             c.block(c.cols, 0, below, c.cols));
}

#define FROND_INSTANTIATE(S) \
  template void subtract_product_lower<S>(blas::Op, DenseView<const S>, DenseView<const S>, DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
