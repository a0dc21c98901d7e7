// SPDX-License-Identifier: BSD-3-Clause
// A dense matrix that owns its entries: right-hand sides, solutions, small references.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "matrices/types.hpp"

namespace frond {

/// Column-major: entry (i, j) is values[i + j * num_rows].
template <Scalar S>
struct DenseMatrix {
  Index num_rows = 0;
  Index num_cols = 0;
  std::vector<S> values;

  DenseMatrix() = default;
  /// A matrix of zeros.
  DenseMatrix(Index rows, Index cols)
      : num_rows(rows), num_cols(cols), values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)) {}

  [[nodiscard]] S& operator()(Index row, Index col) { return values[position(row, col)]; }
  [[nodiscard]] const S& operator()(Index row, Index col) const { return values[position(row, col)]; }

  [[nodiscard]] std::span<S> column(Index col) { return std::span(values).subspan(position(0, col), height()); }
  [[nodiscard]] std::span<const S> column(Index col) const { return std::span(values).subspan(position(0, col), height()); }

 private:
  [[nodiscard]] std::size_t height() const { return static_cast<std::size_t>(num_rows); }
  [[nodiscard]] std::size_t position(Index row, Index col) const {
    return static_cast<std::size_t>(row) + static_cast<std::size_t>(col) * height();
  }
};

}  // namespace frond
