// SPDX-License-Identifier: BSD-3-Clause
// Divides a matrix into parts that are not connected.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solver/numerics/scaling/log_scales.hpp"

namespace frond {

/// Divides rows and columns of a general square matrix into parts without entries between them; rows without entries may be in
/// any part. Parts are merged until their number of entries fills a cache.
class IndependentParts {
 public:
  /// There are no parts if they would be few, or one has a large share of the entries: the matrix as a whole is then processed
  /// faster; nor if a column in the middle is connected to many others, which is found quickly. Rows are in the part of their
  /// matched columns; `row_of_column` empty: that of their own number. O(entries) for all practical purposes.
  IndependentParts(const PatternView& pattern, std::span<const Index> row_of_column);

  [[nodiscard]] std::size_t count() const { return col_begins_.empty() ? 0 : col_begins_.size() - 1; }
  [[nodiscard]] std::span<const Index> cols(std::size_t part) const { return members(cols_, col_begins_, part); }
  [[nodiscard]] std::span<const Index> rows(std::size_t part) const { return members(rows_, row_begins_, part); }
  /// Returns the position of a row within its part.
  [[nodiscard]] Index place(Index row) const { return places_[row]; }

 private:
  static std::span<const Index> members(const std::vector<Index>& all, const std::vector<std::size_t>& begins, std::size_t part) {
    return std::span(all).subspan(begins[part], begins[part + 1] - begins[part]);
  }

  std::vector<std::size_t> col_begins_;
  std::vector<std::size_t> row_begins_;
  std::vector<Index> cols_;
  std::vector<Index> rows_;
  std::vector<Index> places_;
};

/// The matrix of some rows and columns of another one, in their order.
struct PartMatrix {
  std::vector<Count> column_offsets;
  LargeVector<Index> row_indices;
  LogMatrix matrix;
  std::vector<Index> row_of_column;

  PartMatrix(const LogMatrix& whole, const IndependentParts& parts, std::size_t part, std::span<const Index> row_of_column);
  PartMatrix(const PartMatrix&) = delete;
  PartMatrix& operator=(const PartMatrix&) = delete;
};

}  // namespace frond
