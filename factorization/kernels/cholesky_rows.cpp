// SPDX-License-Identifier: BSD-3-Clause
// Updates fully summed columns right-looking, and contribution rows by products of rows of L.
#include "factorization/kernels/cholesky_rows.hpp"

#include "factorization/kernels/rank_update.hpp"
#include "factorization/kernels/triangular_solve.hpp"

namespace frond {

template <Scalar S>
void apply_panel(const CholeskyPanel<S>& panel, const SymmetricRowBlock<S>& rows) {
  const Index width = panel.l.cols;
  const Index end = panel.begin + width;
  const DenseView<S> l = rows.lower.columns(panel.begin, end);
  solve_right<S>(blas::Op::conjugate_transpose, blas::Diagonal::stored, panel.l.block(0, 0, width, width), l);
  blas::gemm<S>(blas::Op::none, blas::Op::conjugate_transpose, S(-1), l, panel.l.block(width, 0, rows.lower.cols - end, width),
                rows.lower.columns(end, rows.lower.cols));
}

template <Scalar S>
void apply_rows(const RowsOfL<S>& above, const SymmetricRowBlock<S>& rows) {
  const DenseView<S> l = rows.lower.columns(above.pivot_begin, above.pivot_begin + above.l.cols);
  const DenseView<S> target = rows.cb.columns(above.row_begin, above.row_begin + above.l.rows);
  if (above.row_begin == rows.row_begin) {
    subtract_product_lower<S>(blas::Op::conjugate_transpose, l, l, target);
  } else {
    blas::gemm<S>(blas::Op::none, blas::Op::conjugate_transpose, S(-1), l, above.l, target);
  }
}

#define FROND_INSTANTIATE(S)                                                          \
  template void apply_panel<S>(const CholeskyPanel<S>&, const SymmetricRowBlock<S>&); \
  template void apply_rows<S>(const RowsOfL<S>&, const SymmetricRowBlock<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
