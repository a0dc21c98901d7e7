// SPDX-License-Identifier: BSD-3-Clause
// Applies block columns of a front to blocks of right-hand sides: triangular solves and products, small ones without BLAS.
#include "solver/numerics/sweeps/front_solve.hpp"

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <algorithm>

#include "factorization/kernels/blas.hpp"
#include "solver/numerics/sweeps/small_solve.hpp"

namespace frond {
namespace {

using blas::Diagonal;
using blas::Op;
using blas::Triangle;

constexpr Index kBlockWidth = 128;     // columns of a factor processed at a time
constexpr Count kSmallProduct = 2048;  // multiplications below which a call of BLAS costs more than the loop
constexpr Count kSmallForComplexVector = 1 << 15;
constexpr Count kTaskProduct = 1 << 18;  // multiplications that are worth a task
constexpr Index kNarrowestTask = 16;     // columns of the result

// Whether loops multiply this many right-hand sides as fast as BLAS. With a single one they always do unless numbers are complex,
// since both wait for memory, and the loops prefetch it.
template <Scalar S>
bool is_for_loops(const DenseView<const S>& a, Index num_rhs) {
  const Count num_numbers = static_cast<Count>(a.rows) * a.cols;
  if (num_rhs == 1) {
    return !kIsComplex<S> || num_numbers <= kSmallForComplexVector;
  }
  return num_numbers * num_rhs <= kSmallProduct;
}

// Runs on this thread.
template <Scalar S>
void subtract_part(Op op, DenseView<const S> x, DenseView<const S> a, DenseView<S> y) {
  if (is_for_loops(a, y.rows)) {
    subtract_small_product<S>(op, x, a, y);
  } else if (y.rows == 1) {
    blas::gemv<S>(op == Op::none ? Op::transpose : Op::none, S(-1), a, x.data, x.ld, y.data, y.ld);
  } else {
    blas::gemm<S>(Op::none, op, S(-1), x, a, y);
  }
}

// Y -= X op(A), in tasks of some columns of Y if large.
template <Scalar S>
void subtract_product(Op op, DenseView<const S> x, DenseView<const S> a, DenseView<S> y) {
  if (x.empty() || y.empty()) {
    return;
  }
  const Count work_per_column = static_cast<Count>(x.rows) * x.cols;
  const auto width = static_cast<Index>(std::min<Count>(y.cols, std::max<Count>(kTaskProduct / work_per_column, kNarrowestTask)));
  const auto columns = [&](Index begin) {
    const Index end = std::min(y.cols, begin + width);
    const DenseView<const S> part = op == Op::none ? a.columns(begin, end) : a.block(begin, 0, end - begin, a.cols);
    subtract_part<S>(op, x, part, y.columns(begin, end));
  };
  if (width >= y.cols) {
    columns(0);
  } else {
    tbb::parallel_for(
        Index{0}, (y.cols + width - 1) / width, [&](Index task) { columns(task * width); }, tbb::simple_partitioner());
  }
}

template <Scalar S>
void solve_triangle(Triangle triangle, Op op, Diagonal diagonal, DenseView<const S> t, DenseView<S> x) {
  if (is_for_loops(t, x.rows)) {
    solve_small_triangle<S>(triangle, op, diagonal, t, x);
  } else if (x.rows == 1) {
    blas::trsv<S>(triangle, op == Op::none ? Op::transpose : Op::none, diagonal, t, x.data, x.ld);
  } else {
    blas::trsm<S>(blas::Side::right, triangle, op, diagonal, t, x);
  }
}

// A block of eliminated columns [begin, end) that the layout stores as one rectangle.
struct Block {
  Index begin;
  Index end;
};

// The block that contains column `col`: blocks begin at multiples of kBlockWidth within every block column of the layout.
Block block_of(const PanelLayout& layout, Index num_eliminated, Index col) {
  const Index panel = layout.block_of(col);
  const Index panel_begin = layout.block_begin(panel);
  const Index begin = panel_begin + (col - panel_begin) / kBlockWidth * kBlockWidth;
  return {begin, std::min({num_eliminated, layout.block_end(panel), begin + kBlockWidth})};
}

// Calls visit(block) for the blocks of the eliminated columns, first to last.
template <class Visit>
void for_each_block(const PanelLayout& layout, Index num_eliminated, const Visit& visit) {
  for (Index col = 0; col < num_eliminated;) {
    const Block block = block_of(layout, num_eliminated, col);
    visit(block);
    col = block.end;
  }
}

// The same, last to first.
template <class Visit>
void for_each_block_backwards(const PanelLayout& layout, Index num_eliminated, const Visit& visit) {
  for (Index end = num_eliminated; end > 0;) {
    const Block block = block_of(layout, num_eliminated, end - 1);
    visit(block);
    end = block.begin;
  }
}

// The columns of a block of L, or of M of LU, from its diagonal on: T and B of solve_small_triangle().
template <Scalar S>
DenseView<const S> lower_columns(const FrontFactor<S>& front, const PanelLayout& layout, Block block) {
  return {front.lower + layout.column_offset(block.begin) + block.begin, front.order - block.begin, block.end - block.begin,
          layout.leading_dimension(layout.block_of(block.begin))};
}

// Does the same as solve_small_triangle() for a lower triangle, of any size.
template <Scalar S>
void solve_lower_columns(Op op, Diagonal diagonal, DenseView<const S> l, DenseView<S> x) {
  const DenseView<const S> triangle = l.block(0, 0, l.cols, l.cols);
  const DenseView<const S> behind = l.block(l.cols, 0, l.rows - l.cols, l.cols);
  const DenseView<S> x1 = x.columns(0, l.cols);
  const DenseView<S> x2 = x.columns(l.cols, l.rows);
  if (is_for_loops(l, x.rows) && static_cast<Count>(l.rows) * l.cols * x.rows <= kTaskProduct) {
    solve_small_triangle<S>(Triangle::lower, op, diagonal, l, x);
  } else if (op == Op::transpose) {
    solve_triangle<S>(Triangle::lower, op, diagonal, triangle, x1);
    subtract_product<S>(op, x1, behind, x2);
  } else {
    subtract_product<S>(op, x2, behind, x1);
    solve_triangle<S>(Triangle::lower, op, diagonal, triangle, x1);
  }
}

Diagonal diagonal_of(Method method) { return method == Method::cholesky ? Diagonal::stored : Diagonal::unit; }

// The parts of N in the rows of a block: its triangle, the columns after it up to p, and, transposed, the columns from p on unless
// slaves hold them.
template <Scalar S>
struct UpperRows {
  DenseView<const S> triangle;
  DenseView<const S> behind;
  DenseView<const S> contribution_transposed;

  UpperRows(const FrontFactor<S>& front, Block block) {
    const Index p = front.num_fully_summed;
    const Index width = block.end - block.begin;
    const DenseView<const S> lower{front.lower, front.order, p, front.order};
    triangle = lower.block(block.begin, block.begin, width, width);
    behind = lower.block(block.begin, block.end, width, p - block.end);
    if (front.upper != nullptr) {
      const Index ld = std::max(front.cb_order(), Index{1});
      contribution_transposed = DenseView<const S>{front.upper, front.cb_order(), p, ld}.columns(block.begin, block.end);
    }
  }
};

}  // namespace

template <Scalar S>
void forward_solve(const FrontFactor<S>& front, Method method, SolveSide side, DenseView<S> f) {
  const PanelLayout& layout = front.layout;
  const Index p = front.num_fully_summed;
  for_each_block(layout, front.num_eliminated, [&](Block block) {
    const DenseView<S> x = f.columns(block.begin, block.end);
    if (method == Method::lu && side == SolveSide::plain) {
      const UpperRows<S> n(front, block);
      solve_triangle<S>(Triangle::upper, Op::none, Diagonal::stored, n.triangle, x);
      subtract_product<S>(Op::none, x, n.behind, f.columns(block.end, p));
      subtract_product<S>(Op::transpose, x, n.contribution_transposed, f.columns(p, p + n.contribution_transposed.rows));
    } else {
      solve_lower_columns<S>(Op::transpose, diagonal_of(method), lower_columns(front, layout, block),
                             f.columns(block.begin, front.order));
    }
  });
}

template <Scalar S>
void backward_solve(const FrontFactor<S>& front, Method method, SolveSide side, DenseView<S> f) {
  const PanelLayout& layout = front.layout;
  const Index p = front.num_fully_summed;
  for_each_block_backwards(layout, front.num_eliminated, [&](Block block) {
    const DenseView<S> x = f.columns(block.begin, block.end);
    if (method == Method::lu && side == SolveSide::transposed) {
      const UpperRows<S> n(front, block);
      subtract_product<S>(Op::transpose, f.columns(block.end, p), n.behind, x);
      subtract_product<S>(Op::none, f.columns(p, p + n.contribution_transposed.rows), n.contribution_transposed, x);
      solve_triangle<S>(Triangle::upper, Op::transpose, Diagonal::stored, n.triangle, x);
    } else {
      solve_lower_columns<S>(Op::none, diagonal_of(method), lower_columns(front, layout, block),
                             f.columns(block.begin, front.order));
    }
  });
}

template <Scalar S>
void subtract_forward(const RowFactor<S>& slave, DenseView<const S> x, DenseView<S> f) {
  subtract_product<S>(Op::transpose, x, slave.rows.columns(0, slave.num_eliminated), f);
}

template <Scalar S>
void subtract_backward(const RowFactor<S>& slave, DenseView<const S> f, DenseView<S> x) {
  subtract_product<S>(Op::none, f, slave.rows.columns(0, slave.num_eliminated), x);
}

namespace {

// Solves [d0, adj(d1); d1, d2] x = b for every right-hand side, scaled by d1 (as LAPACK's xSYTRS) so that nothing overflows.
template <Scalar S>
void solve_two_by_two(const S* d, bool hermitian, S* x0, S* x1, Index num_rhs) {
  const S below = d[1];
  const S above = hermitian ? conjugate(below) : below;
  const S first = d[0] / above;
  const S second = d[2] / below;
  const S determinant = first * second - S(1);
  for (Index i = 0; i < num_rhs; ++i) {
    const S b0 = x0[i] / above;
    const S b1 = x1[i] / below;
    x0[i] = (second * b0 - b1) / determinant;
    x1[i] = (first * b1 - b0) / determinant;
  }
}

}  // namespace

template <Scalar S>
void diagonal_solve(const FrontFactor<S>& front, Method method, DenseView<S> f) {
  if (method == Method::cholesky) {
    return;
  }
  for (Index k = 0; k < front.num_eliminated; ++k) {
    S* x = f.column(k);
    switch (front.pivots[k]) {
      case PivotKind::null:
        std::fill_n(x, f.rows, S(0));
        break;
      case PivotKind::one_by_one:
        for (Index i = 0; i < f.rows && method != Method::lu; ++i) {
          x[i] /= front.d[2 * k];
        }
        break;
      case PivotKind::two_by_two:
        solve_two_by_two(front.d + 2 * k, method == Method::ldlh, x, f.column(k + 1), f.rows);
        break;
      case PivotKind::second_of_two:
        break;
    }
  }
}

#define FROND_INSTANTIATE(S)                                                              \
  template void forward_solve(const FrontFactor<S>&, Method, SolveSide, DenseView<S>);    \
  template void backward_solve(const FrontFactor<S>&, Method, SolveSide, DenseView<S>);   \
  template void subtract_forward(const RowFactor<S>&, DenseView<const S>, DenseView<S>);  \
  template void subtract_backward(const RowFactor<S>&, DenseView<const S>, DenseView<S>); \
  template void diagonal_solve(const FrontFactor<S>&, Method, DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
