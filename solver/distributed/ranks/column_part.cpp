// SPDX-License-Identifier: BSD-3-Clause
// Divides between columns, with numbers of entries as equal as possible.
#include "solver/distributed/ranks/column_part.hpp"

#include <algorithm>

namespace frond {

template <Scalar S>
ColumnPart<S>::ColumnPart(const MatrixView<S>& matrix, Rank rank, Rank num_ranks) : matrix_(matrix) {
  const auto offsets = matrix.pattern.column_offsets;
  const Count num_entries = matrix.pattern.num_entries();
  const auto cut = [&](Rank before) {
    const Count target = num_entries / num_ranks * before + num_entries % num_ranks * before / num_ranks;
    return *std::lower_bound(offsets.begin(), offsets.end(), target);
  };
  entries_begin_ = cut(rank);
  const Count entries_end = cut(rank + 1);
  column_offsets_.reserve(offsets.size());
  for (const Count offset : offsets) {
    column_offsets_.push_back(std::clamp(offset, entries_begin_, entries_end) - entries_begin_);
  }
}

template <Scalar S>
MatrixView<S> ColumnPart<S>::view() const {
  const auto begin = static_cast<std::size_t>(entries_begin_);
  const auto length = static_cast<std::size_t>(column_offsets_.back());
  PatternView pattern = matrix_.pattern;
  pattern.column_offsets = column_offsets_;
  pattern.row_indices = pattern.row_indices.subspan(begin, length);
  return {pattern, matrix_.values.subspan(begin, length)};
}

FROND_INSTANTIATE_CLASS(ColumnPart)

}  // namespace frond
