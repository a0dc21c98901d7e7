// SPDX-License-Identifier: BSD-3-Clause
// Threshold LU of a tall panel, by halves.
#include "factorization/kernels/lu.hpp"

#include <algorithm>
#include <limits>

#include "factorization/kernels/magnitude.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "factorization/kernels/triangular_solve.hpp"

namespace frond {
namespace {

constexpr Index kLeafWidth = 8;  // columns below which halving costs more than it gains

// x := x / pivot, without overflow of 1 / pivot.
template <Scalar S>
void divide(Index n, S pivot, S* x) {
  using R = RealOf<S>;
  if (std::abs(pivot) >= std::numeric_limits<R>::min() * R(4)) {
    blas::scal(n, S(1) / pivot, x);
  } else {
    std::for_each(x, x + n, [pivot](S& value) { value /= pivot; });
  }
}

}  // namespace

template <Scalar S>
LuKernel<S>::LuKernel(const FrontFactor<S>& front, PivotTolerances<RealOf<S>> tolerances)
    : front_(front),
      b_{front.lower, front.order, front.num_fully_summed, front.order},
      tolerances_(tolerances),
      exchanged_(static_cast<std::size_t>(front.num_fully_summed)),
      exchanges_applied_(static_cast<std::size_t>(front.num_fully_summed)) {
  std::fill_n(front.pivots, front.num_fully_summed, PivotKind::one_by_one);
}

template <Scalar S>
Index LuKernel<S>::eliminate_panel(Index begin, Index end) {
  const Index num_eliminated = eliminate_columns(begin, end);
  std::fill_n(exchanges_applied_.begin() + begin, num_eliminated, begin + num_eliminated);
  return num_eliminated;
}

template <Scalar S>
Index LuKernel<S>::eliminate_columns(Index begin, Index end) {
  if (end - begin <= kLeafWidth) {
    return eliminate_leaf(begin, end);
  }
  const Index middle = begin + (end - begin + 1) / 2;
  const Index first_end = begin + eliminate_columns(begin, middle);
  update_columns(begin, first_end, middle, end);
  const Index num_rejected = middle - first_end;
  step_behind(first_end, middle, end);
  const Index second_end = first_end + eliminate_columns(first_end, end - num_rejected);
  exchange_rows(first_end, second_end, begin, first_end);
  update_columns(first_end, second_end, end - num_rejected, end);
  return second_end - begin;
}

template <Scalar S>
Index LuKernel<S>::eliminate_leaf(Index begin, Index end) {
  Index candidates_end = end;
  Index k = begin;
  while (k < candidates_end) {
    const Index row = find_pivot(k);
    if (row < 0) {
      --candidates_end;
      if (k < candidates_end) {
        exchange(k, candidates_end);
      }
      continue;
    }
    take_row(k, row);
    exchange_rows(k, k + 1, begin, end);
    divide(b_.rows - k - 1, b_(k, k), &b_(k + 1, k));
    blas::ger(S(-1), &b_(k + 1, k), &b_(k, k + 1), b_.ld, b_.block(k + 1, k + 1, b_.rows - k - 1, end - k - 1));
    ++k;
  }
  return k - begin;
}

// Notes that pivot k is in that row of B.
template <Scalar S>
void LuKernel<S>::take_row(Index k, Index row) {
  exchanged_[k] = row;
  std::swap(front_.col_variables[k], front_.col_variables[row]);
  counts_.exchanges += row == k ? 0 : 1;
}

// The row of the pivot of column k: its largest fully summed entry, if that passes the threshold test; otherwise -1.
template <Scalar S>
Index LuKernel<S>::find_pivot(Index k) const {
  const Index p = b_.cols;
  const S* column = b_.column(k);
  const Index row = k + blas::index_of_max(p - k, column + k);
  const RealOf<S> largest = std::max(magnitude_bound(column[row]), max_magnitude(b_.rows - p - front_.num_schur_rows, column + p));
  const RealOf<S> pivot = std::abs(column[row]);
  return pivot > tolerances_.null && pivot >= tolerances_.threshold * largest ? row : -1;
}

// Applies the row exchanges of the pivots [pivot_begin, pivot_end) to the columns [begin, end), a column at a time for the cache's
// sake.
template <Scalar S>
void LuKernel<S>::exchange_rows(Index pivot_begin, Index pivot_end, Index begin, Index end) const {
  for (Index j = begin; j < end; ++j) {
    S* column = b_.column(j);
    for (Index k = pivot_begin; k < pivot_end; ++k) {
      std::swap(column[k], column[exchanged_[k]]);
    }
  }
}

// Moves the columns [begin, middle) behind the columns [middle, end).
template <Scalar S>
void LuKernel<S>::step_behind(Index begin, Index middle, Index end) {
  if (begin == middle) {
    return;
  }
  const auto reverse = [this](Index first, Index last) {
    for (--last; first < last; ++first, --last) {
      exchange(first, last);
    }
  };
  reverse(begin, middle);
  reverse(middle, end);
  reverse(begin, end);
}

template <Scalar S>
void LuKernel<S>::update_columns(Index pivot_begin, Index pivot_end, Index begin, Index end) {
  const Index num_pivots = pivot_end - pivot_begin;
  exchange_rows(pivot_begin, pivot_end, begin, end);
  const DenseView<S> n = b_.block(pivot_begin, begin, num_pivots, end - begin);
  solve_left<S>(b_.block(pivot_begin, pivot_begin, num_pivots, num_pivots), n);
  const Index below = b_.rows - pivot_end;
  blas::gemm<S>(blas::Op::none, blas::Op::none, S(-1), b_.block(pivot_end, pivot_begin, below, num_pivots), n,
                b_.block(pivot_end, begin, below, end - begin));
}

template <Scalar S>
void LuKernel<S>::close_panels(Index num_eliminated, Index begin, Index end) {
  for (Index j = begin; j < end; ++j) {
    exchange_rows(exchanges_applied_[j], num_eliminated, j, j + 1);
    exchanges_applied_[j] = num_eliminated;
  }
}

template <Scalar S>
void LuKernel<S>::exchange(Index i, Index j) {
  blas::swap(b_.rows, b_.column(i), 1, b_.column(j), 1);
  std::swap(front_.row_variables[i], front_.row_variables[j]);
  ++counts_.exchanges;
}

template <Scalar S>
void LuKernel<S>::eliminate_rest(Index begin) {
  const Index p = b_.cols;
  for (Index k = begin; k < p; ++k) {
    const auto [row, col] = largest_entry(k);
    if (tolerances_.is_static()) {
      perturb(b_(row, col));
    } else if (!(std::abs(b_(row, col)) > tolerances_.null)) {
      mark_null(k);
      return;
    }
    if (col != k) {
      exchange(k, col);
    }
    take_row(k, row);
    exchange_rows(k, k + 1, 0, p);
    const Index below = b_.rows - k - 1;  // contribution rows, too, where they are those of a Schur complement
    divide(below, b_(k, k), &b_(k + 1, k));
    blas::ger(S(-1), &b_(k + 1, k), &b_(k, k + 1), b_.ld, b_.block(k + 1, k + 1, below, p - k - 1));
  }
}

// Makes the pivot as large as the perturbation if it is smaller, and leaves its sign.
template <Scalar S>
void LuKernel<S>::perturb(S& pivot) {
  const RealOf<S> size = std::abs(pivot);
  if (!(size >= tolerances_.perturbation)) {
    pivot = size > 0 ? pivot / size * tolerances_.perturbation : S(tolerances_.perturbation);
    ++counts_.perturbed;
  }
}

template <Scalar S>
std::pair<Index, Index> LuKernel<S>::largest_entry(Index begin) const {
  std::pair<Index, Index> best{begin, begin};
  for (Index j = begin; j < b_.cols; ++j) {
    const Index i = begin + blas::index_of_max(b_.cols - begin, &b_(begin, j));
    if (magnitude_bound(b_(i, j)) > magnitude_bound(b_(best.first, best.second))) {
      best = {i, j};
    }
  }
  return best;
}

// The remaining block counts as zero: the identity takes its place, so that triangular solves pass through it.
template <Scalar S>
void LuKernel<S>::mark_null(Index begin) {
  for (Index k = begin; k < b_.cols; ++k) {
    std::fill_n(&b_(begin, k), b_.rows - begin, S(0));
    b_(k, k) = S(1);
    exchanged_[k] = k;
    front_.pivots[k] = PivotKind::null;
    counts_.null_variables.push_back(front_.row_variables[k]);
  }
}

template <Scalar S>
void LuKernel<S>::finish_upper(Index num_eliminated, Index begin, Index end) const {
  const Index p = b_.cols;
  const DenseView<S> rows{front_.upper + begin, end - begin, p, front_.cb_order()};
  for (Index k = 0; k < num_eliminated; ++k) {
    const Index row = exchanged_[k];
    if (row != k) {
      blas::swap(rows.rows, rows.column(k), 1, rows.column(row), 1);
    }
  }
  for (Index k = 0; k < num_eliminated; ++k) {
    if (front_.pivots[k] == PivotKind::null) {
      std::fill_n(rows.column(k), rows.rows, S(0));
    }
  }
  const DenseView<S> eliminated = rows.columns(0, num_eliminated);
  solve_right<S>(blas::Op::transpose, blas::Diagonal::unit, b_.block(0, 0, num_eliminated, num_eliminated), eliminated);
  blas::gemm<S>(blas::Op::none, blas::Op::transpose, S(-1), eliminated,
                b_.block(num_eliminated, 0, p - num_eliminated, num_eliminated), rows.columns(num_eliminated, p));
}

// B22 -= M21 N12
template <Scalar S>
void LuKernel<S>::update_contribution(const PanelLayout& layout, S* cb, Index begin, Index end) const {
  const Index order = front_.cb_order();
  const DenseView<const S> m21{front_.lower + front_.num_fully_summed, order, front_.num_eliminated, front_.order};
  const DenseView<const S> n12_transposed{front_.upper + begin, end - begin, front_.num_eliminated, order};
  blas::gemm<S>(blas::Op::none, blas::Op::transpose, S(-1), m21, n12_transposed,
                DenseView<S>{cb + layout.column_offset(begin), order, end - begin, order});
}

template <Scalar S>
LuPanel<S> LuKernel<S>::panel(Index begin, Index end) const {
  const auto num_pivots = static_cast<std::size_t>(end - begin);
  return {begin, std::span(exchanged_).subspan(static_cast<std::size_t>(begin), num_pivots),
          b_.block(begin, begin, b_.rows - begin, end - begin)};
}

FROND_INSTANTIATE_CLASS(LuKernel)

}  // namespace frond
