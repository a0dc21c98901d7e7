// SPDX-License-Identifier: BSD-3-Clause
// Parts of a matrix that have nothing to do with one another.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solver/numerics/scaling/log_scales.hpp"

namespace frond {

/// Rows and columns of a general square matrix in parts without an entry of one in another, rows of no entries anywhere. Parts are
/// gathered until they have a number of entries that fits into a cache.
class IndependentParts {
 public:
  /// None where there are few, or one has a large share of the entries: a matrix as a whole is looked through faster then. Nor is
  /// there any if a column somewhere in the middle leads on to many others, which is soon known. Rows are in the part of the
  /// columns they are matched with; `row_of_column` empty: that of their own number. O(entries) for all practical purposes.
  IndependentParts(const PatternView& pattern, std::span<const Index> row_of_column);

  [[nodiscard]] std::size_t count() const { return col_begins_.empty() ? 0 : col_begins_.size() - 1; }
  [[nodiscard]] std::span<const Index> cols(std::size_t part) const { return members(cols_, col_begins_, part); }
  [[nodiscard]] std::span<const Index> rows(std::size_t part) const { return members(rows_, row_begins_, part); }
  /// Says where a row stands among those of its part.
  [[nodiscard]] Index place(Index row) const { return places_[static_cast<std::size_t>(row)]; }

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

/// A matrix of some rows and columns of another one, in their order.
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
