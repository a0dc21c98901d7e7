// SPDX-License-Identifier: BSD-3-Clause
// A column-major dense block that somebody else owns.
#pragma once

#include <algorithm>
#include <span>

#include "matrices/types.hpp"

namespace frond {

/// rows x cols entries; entry (i, j) is data[i + j ld], ld >= rows.
template <class S>
struct DenseView {
  S* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index ld = 1;

  [[nodiscard]] S& operator()(Index i, Index j) const { return data[i + static_cast<Count>(j) * ld]; }
  [[nodiscard]] S* column(Index j) const { return data + static_cast<Count>(j) * ld; }
  [[nodiscard]] DenseView block(Index row, Index col, Index num_rows, Index num_cols) const {
    return {data + row + static_cast<Count>(col) * ld, num_rows, num_cols, ld};
  }
  [[nodiscard]] DenseView columns(Index begin, Index end) const { return block(0, begin, rows, end - begin); }
  [[nodiscard]] bool empty() const { return rows == 0 || cols == 0; }
  operator DenseView<const S>() const {
    return {data, rows, cols, ld};
  }  // NOLINT(google-explicit-constructor): a view of what may be written may be read
};

/// One column of these entries.
template <class S>
[[nodiscard]] DenseView<S> column_view(std::span<S> entries) {
  const auto rows = static_cast<Index>(entries.size());
  return {entries.data(), rows, 1, std::max(rows, Index{1})};
}

}  // namespace frond
