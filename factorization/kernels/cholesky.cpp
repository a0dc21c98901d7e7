// SPDX-License-Identifier: BSD-3-Clause
// Right-looking blocked Cholesky; each block column is one panel.
#include "factorization/kernels/cholesky.hpp"

#include <cmath>

#include "factorization/kernels/rank_update.hpp"
#include "factorization/kernels/triangular_solve.hpp"

namespace frond {

// Returns the rows [row, m) of the columns [begin, end) of one block column.
template <Scalar S>
DenseView<S> CholeskyKernel<S>::panel_rows(Index begin, Index end, Index row) const {
  const Index ld = front_.layout.leading_dimension(begin / front_.layout.width);
  return {front_.lower + front_.layout.column_offset(begin) + row, front_.order - row, end - begin, ld};
}

template <Scalar S>
Index CholeskyKernel<S>::eliminate_panel(Index begin, Index end) {
  const Index width = end - begin;
  const DenseView<S> panel = panel_rows(begin, end, begin);
  const DenseView<S> diagonal = panel.block(0, 0, width, width);
  Index failed = blas::potrf(diagonal);
  for (Index k = 0; k < width && failed < 0; ++k) {
    const RealOf<S> root = std::abs(diagonal(k, k));
    failed = root * root > tolerances_.null ? -1 : k;
  }
  if (failed >= 0) {
    throw NotPositiveDefinite{front_.row_variables[begin + failed]};
  }
  solve_right<S>(blas::Op::conjugate_transpose, blas::Diagonal::stored, diagonal, panel.block(width, 0, panel.rows - width, width));
  counts_.positive += width;
  return width;
}

template <Scalar S>
void CholeskyKernel<S>::update_columns(Index pivot_begin, Index pivot_end, Index begin, Index end) {
  const DenseView<const S> l = panel_rows(pivot_begin, pivot_end, begin);
  subtract_product_lower<S>(blas::Op::conjugate_transpose, l, l.block(0, 0, end - begin, l.cols), panel_rows(begin, end, begin));
}

template <Scalar S>
void CholeskyKernel<S>::update_contribution(const PanelLayout& layout, S* cb, Index begin, Index end) const {
  const Index row = front_.num_fully_summed + begin;
  const Index width = end - begin;
  const DenseView<S> target{cb + layout.column_offset(begin) + begin, layout.order - begin, width,
                            layout.leading_dimension(begin / layout.width)};
  for (Index panel = 0; panel < front_.layout.num_blocks(); ++panel) {
    const DenseView<const S> l = panel_rows(front_.layout.block_begin(panel), front_.layout.block_end(panel), row);
    subtract_product_lower<S>(blas::Op::conjugate_transpose, l, l.block(0, 0, width, l.cols), target);
  }
}

FROND_INSTANTIATE_CLASS(CholeskyKernel)

}  // namespace frond
