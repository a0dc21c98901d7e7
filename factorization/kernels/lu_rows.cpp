// SPDX-License-Identifier: BSD-3-Clause
// Right-looking: the pivots of a panel exchange what the panels before have updated already.
#include "factorization/kernels/lu_rows.hpp"

#include "factorization/kernels/blas.hpp"
#include "factorization/kernels/triangular_solve.hpp"

namespace frond {

template <Scalar S>
void apply_panel(const LuPanel<S>& panel, const LuRowBlock<S>& rows) {
  const Index p = rows.upper.cols;
  const Index num_pivots = panel.m.cols;
  const Index end = panel.begin + num_pivots;
  for (Index k = panel.begin; k < end; ++k) {
    const Index other = panel.exchanged[k - panel.begin];
    if (other != k) {
      blas::swap(rows.upper.rows, rows.upper.column(k), 1, rows.upper.column(other), 1);
    }
  }
  const DenseView<S> eliminated = rows.upper.columns(panel.begin, end);
  solve_right<S>(blas::Op::transpose, blas::Diagonal::unit, panel.m.block(0, 0, num_pivots, num_pivots), eliminated);
  blas::gemm<S>(blas::Op::none, blas::Op::transpose, S(-1), eliminated, panel.m.block(num_pivots, 0, p - end, num_pivots),
                rows.upper.columns(end, p));
  blas::gemm<S>(blas::Op::none, blas::Op::transpose, S(-1), panel.m.block(p - panel.begin, 0, rows.cb.rows, num_pivots), eliminated,
                rows.cb);
}

#define FROND_INSTANTIATE(S) template void apply_panel<S>(const LuPanel<S>&, const LuRowBlock<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
