// SPDX-License-Identifier: BSD-3-Clause
// Computes, verifies, keeps and gives back a slave's rows of L.
#include "factorization/kernels/ldlt_rows.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "factorization/kernels/magnitude.hpp"
#include "factorization/kernels/rank_update.hpp"

namespace frond {
namespace {

template <Scalar S>
std::unique_ptr<S[]> workspace_for(Index rows, Index cols) {
  return std::make_unique_for_overwrite<S[]>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
}

}  // namespace

template <Scalar S>
LdltRows<S>::LdltRows(const SymmetricRowBlock<S>& rows, bool hermitian, PivotTolerances<RealOf<S>> tolerances, RunChunks run_chunks)
    : rows_(rows),
      hermitian_(hermitian),
      tolerances_(tolerances),
      run_chunks_(std::move(run_chunks)),
      d_(2 * static_cast<std::size_t>(rows.lower.cols)),
      pivots_(static_cast<std::size_t>(rows.lower.cols)) {}

template <Scalar S>
std::vector<RealOf<S>> LdltRows<S>::column_maxima() const {
  std::vector<RealOf<S>> maxima(static_cast<std::size_t>(rows_.lower.cols - num_eliminated_));
  for (Index j = num_eliminated_; j < rows_.lower.cols; ++j) {
    maxima[static_cast<std::size_t>(j - num_eliminated_)] = max_magnitude(rows_.lower.rows, rows_.lower.column(j));
  }
  return maxima;
}

// A21 = L21 D op(L11)^T, so A21 op(L11)^-T is L21 D: null pivots are judged by that, the others by L21.
template <Scalar S>
Index LdltRows<S>::verify(const LdltPanel<S>& panel) {
  exchange(panel.exchanges);
  std::copy(panel.d.begin(), panel.d.end(), d_.begin() + 2 * panel.begin);
  std::copy(panel.pivots.begin(), panel.pivots.end(), pivots_.begin() + panel.begin);
  const Index num_pivots = panel.l.cols;
  const DenseView<S> x = rows_.lower.columns(panel.begin, panel.begin + num_pivots);
  kept_.resize(static_cast<std::size_t>(x.rows) * static_cast<std::size_t>(num_pivots));
  for (Index j = 0; j < num_pivots; ++j) {
    std::copy_n(x.column(j), x.rows, kept_.begin() + static_cast<std::ptrdiff_t>(j) * x.rows);
  }
  run_chunks_(x.rows, [&](Index begin, Index end_of_chunk) {
    blas::trsm<S>(blas::Side::right, blas::Triangle::lower, hermitian_ ? blas::Op::conjugate_transpose : blas::Op::transpose,
                  blas::Diagonal::unit, panel.l.block(0, 0, num_pivots, num_pivots),
                  x.block(begin, 0, end_of_chunk - begin, num_pivots));
  });
  Index end = panel.begin;
  while (end < panel.begin + num_pivots) {
    const Index size = pivots_[static_cast<std::size_t>(end)] == PivotKind::two_by_two ? 2 : 1;
    if (!is_safe(end, size)) {
      break;
    }
    end += size;
  }
  return end - panel.begin;
}

// Divides the `num_columns` columns of a pivot by it. Whether they may stay so.
template <Scalar S>
bool LdltRows<S>::is_safe(Index pivot, Index num_columns) const {
  const DenseView<S> x = rows_.lower.columns(pivot, pivot + num_columns);
  if (pivots_[static_cast<std::size_t>(pivot)] == PivotKind::null && !(max_magnitude(x.rows, x.data) <= tolerances_.null)) {
    return false;
  }
  divide_by(BlockDiagonal<S>{d_.data(), pivots_.data(), hermitian_}, pivot, pivot + num_columns, x);
  const auto is_small = [largest = 1 / tolerances_.threshold](S value) { return std::abs(value) <= largest; };
  for (Index j = 0; j < num_columns; ++j) {
    if (!std::all_of(x.column(j), x.column(j) + x.rows, is_small)) {
      return false;
    }
  }
  return true;
}

template <Scalar S>
RowsOfL<S> LdltRows<S>::commit(const LdltPanel<S>& panel, Index num_pivots) {
  const Index begin = panel.begin;
  const Index end = begin + num_pivots;
  const Index height = rows_.lower.rows;
  for (Index j = num_pivots; j < panel.l.cols; ++j) {
    std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(j) * height, height, rows_.lower.column(begin + j));
  }
  const DenseView<S> l = rows_.lower.columns(begin, end);
  const Index num_left = rows_.lower.cols - end;
  const auto workspace = workspace_for<S>(num_pivots, num_left);
  const DenseView<S> w{workspace.get(), num_pivots, num_left, std::max<Index>(num_pivots, 1)};
  scale_transposed<S>({d_.data(), pivots_.data(), hermitian_}, begin, end, panel.l.block(num_pivots, 0, num_left, num_pivots), w);
  run_chunks_(height, [&](Index first, Index last) {
    blas::gemm<S>(blas::Op::none, blas::Op::none, S(-1), l.block(first, 0, last - first, num_pivots), w,
                  rows_.lower.block(first, end, last - first, num_left));
  });
  num_eliminated_ = end;
  return {begin, rows_.row_begin, l};
}

template <Scalar S>
void LdltRows<S>::apply_rows(const RowsOfL<S>& above, Index begin, Index end) const {
  const Index num_pivots = above.l.cols;
  const SymmetricRowBlock<S> rows = rows_.rows(begin, end);
  const DenseView<S> l = rows.lower.columns(above.pivot_begin, above.pivot_begin + num_pivots);
  const DenseView<S> target = rows.cb.columns(above.row_begin, above.row_begin + above.l.rows);
  const auto workspace = workspace_for<S>(num_pivots, above.l.rows);
  const DenseView<S> w{workspace.get(), num_pivots, above.l.rows, std::max<Index>(num_pivots, 1)};
  scale_transposed<S>({d_.data(), pivots_.data(), hermitian_}, above.pivot_begin, above.pivot_begin + num_pivots, above.l, w);
  if (above.row_begin == rows.row_begin) {
    subtract_product_lower<S>(blas::Op::none, l, w, target);
  } else {
    blas::gemm<S>(blas::Op::none, blas::Op::none, S(-1), l, w, target);
  }
}

template <Scalar S>
void LdltRows<S>::exchange(std::span<const Exchange> exchanges) {
  for (const auto& [i, j] : exchanges) {
    blas::swap(rows_.lower.rows, rows_.lower.column(i), 1, rows_.lower.column(j), 1);
  }
}

template class LdltRows<float>;
template class LdltRows<double>;
template class LdltRows<std::complex<float>>;
template class LdltRows<std::complex<double>>;

}  // namespace frond
