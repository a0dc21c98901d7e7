// SPDX-License-Identifier: BSD-3-Clause
// Computes, verifies, keeps and gives back a slave's rows of L.
#include "factorization/kernels/ldlt_rows.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include "factorization/kernels/magnitude.hpp"
#include "factorization/kernels/pivot_growth.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "factorization/kernels/verify_pivots.hpp"

namespace frond {
namespace {

template <Scalar S>
std::unique_ptr<S[]> workspace_for(Index rows, Index cols) {
  return std::make_unique_for_overwrite<S[]>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
}

}  // namespace

template <Scalar S>
LdltRows<S>::LdltRows(const SymmetricRowBlock<S>& rows, bool hermitian, PivotTolerances<RealOf<S>> tolerances, RunChunks run_chunks,
                      Index num_untested)
    : rows_(rows),
      num_tested_(rows.lower.rows - num_untested),
      hermitian_(hermitian),
      tolerances_(tolerances),
      run_chunks_(std::move(run_chunks)),
      d_(2 * static_cast<std::size_t>(rows.lower.cols)),
      pivots_(static_cast<std::size_t>(rows.lower.cols)) {}

template <Scalar S>
std::vector<RealOf<S>> LdltRows<S>::column_maxima() const {
  std::vector<RealOf<S>> maxima(static_cast<std::size_t>(rows_.lower.cols - num_eliminated_));
  for (Index j = num_eliminated_; j < rows_.lower.cols; ++j) {
    maxima[j - num_eliminated_] = max_magnitude(num_tested_, rows_.lower.column(j));
  }
  return maxima;
}

template <Scalar S>
Index LdltRows<S>::verify(const LdltPanel<S>& panel) {
  exchange(panel.exchanges);
  std::copy(panel.d.begin(), panel.d.end(), d_.begin() + 2 * panel.begin);
  std::copy(panel.pivots.begin(), panel.pivots.end(), pivots_.begin() + panel.begin);
  const Index num_pivots = panel.l.cols;
  const DenseView<S> x = rows_.lower.columns(panel.begin, panel.begin + num_pivots);
  kept_.resize(static_cast<std::size_t>(x.rows) * static_cast<std::size_t>(num_pivots));
  for (Index j = 0; j < num_pivots; ++j) {
    std::copy_n(x.column(j), x.rows, kept_.begin() + j * x.rows);
  }
  std::atomic<Index> num_verified = num_pivots;
  run_chunks_(x.rows, [&](Index begin, Index end) {
    const BlockDiagonal<S> diagonal{d_.data(), pivots_.data(), hermitian_};
    const DenseView<const S> l = panel.l.block(0, 0, num_pivots, num_pivots);
    const Index tested_end = std::clamp(num_tested_, begin, end);
    divide_rows<S>(diagonal, panel.begin, l, x.block(tested_end, 0, end - tested_end, num_pivots));
    const Index of_chunk = divide_and_verify<S>(diagonal, panel.begin, l, panel.is_final ? accept_all(tolerances_) : tolerances_,
                                                x.block(begin, 0, tested_end - begin, num_pivots));
    Index least = num_verified;
    while (of_chunk < least && !num_verified.compare_exchange_weak(least, of_chunk)) {
    }
  });
  return num_verified;
}

template <Scalar S>
RowsOfL<S> LdltRows<S>::commit(const LdltPanel<S>& panel, Index num_pivots) {
  const Index begin = panel.begin;
  const Index end = begin + num_pivots;
  const Index height = rows_.lower.rows;
  for (Index j = num_pivots; j < panel.l.cols; ++j) {
    std::copy_n(kept_.begin() + j * height, height, rows_.lower.column(begin + j));
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

template <Scalar S>
RealOf<S> LdltRows<S>::largest_entry() const {
  return largest_of_scaled_rows<S>({d_.data(), pivots_.data(), hermitian_}, rows_.lower.columns(0, num_eliminated_));
}

FROND_INSTANTIATE_CLASS(LdltRows)

}  // namespace frond
