// SPDX-License-Identifier: BSD-3-Clause
// Merges sets of columns that share rows, row by row (Tarjan 1975, "Efficiency of a good but not linear set union algorithm").
#include "solver/numerics/scaling/independent_parts.hpp"

#include "matrices/position.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace frond {
namespace {

constexpr Index kAbsent = -1;
constexpr Count kEntriesOfPart = 1 << 14;
constexpr std::size_t kFewParts = 4;
constexpr std::size_t kManyColumns = 4096;  // reached from one: the rest is then probably one part

std::span<const Index> rows_of(const PatternView& pattern, Index column) {
  return pattern.row_indices.subspan(at(pattern.column_offsets[at(column)]),
                                     at(pattern.column_offsets[at(column) + 1] - pattern.column_offsets[at(column)]));
}

// Whether many columns are reached from one in the middle; a row leads to the column that it is matched with.
bool leads_far(const PatternView& pattern, const std::vector<Index>& column_of_row) {
  std::vector<bool> is_reached(at(pattern.num_cols), false);
  std::vector<Index> reached = {pattern.num_cols / 2};
  is_reached[at(reached.front())] = true;
  for (std::size_t k = 0; k < reached.size() && reached.size() < kManyColumns; ++k) {
    for (const Index row : rows_of(pattern, reached[k])) {
      const Index column = column_of_row[at(row)];
      if (!is_reached[at(column)]) {
        is_reached[at(column)] = true;
        reached.push_back(column);
      }
    }
  }
  return reached.size() >= kManyColumns;
}

class ColumnSets {
 public:
  explicit ColumnSets(Index num_columns) : parent_(at(num_columns)) { std::iota(parent_.begin(), parent_.end(), 0); }

  // Returns the first column of its set.
  Index find(Index column) {
    while (parent_[at(column)] != column) {
      parent_[at(column)] = parent_[at(parent_[at(column)])];
      column = parent_[at(column)];
    }
    return column;
  }

  void join(Index a, Index b) {
    a = find(a);
    b = find(b);
    parent_[at(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<Index> parent_;
};

std::vector<Index> columns_of_rows(const PatternView& pattern, std::span<const Index> row_of_column) {
  std::vector<Index> column_of_row(at(pattern.num_rows), kAbsent);
  for (Index column = 0; column < pattern.num_cols; ++column) {
    column_of_row[chosen_row(row_of_column, at(column))] = column;
  }
  return column_of_row;
}

// [first column of a set] = its part; sets are merged into parts in the order of these columns.
std::vector<Index> gather_sets(ColumnSets& sets, const std::vector<Count>& num_entries) {
  std::vector<Index> part_of_set(num_entries.size(), kAbsent);
  Index part = 0;
  Count gathered = 0;
  for (Index column = 0; column < static_cast<Index>(num_entries.size()); ++column) {
    if (sets.find(column) != column) {
      continue;
    }
    if (gathered >= kEntriesOfPart) {
      ++part;
      gathered = 0;
    }
    part_of_set[at(column)] = part;
    gathered += num_entries[at(column)];
  }
  return part_of_set;
}

}  // namespace

IndependentParts::IndependentParts(const PatternView& pattern, std::span<const Index> row_of_column) {
  const Count most_entries = pattern.num_entries() / static_cast<Count>(kFewParts);
  if (most_entries < kEntriesOfPart) {
    return;
  }
  const std::vector<Index> column_of_row = columns_of_rows(pattern, row_of_column);
  if (leads_far(pattern, column_of_row)) {
    return;
  }
  ColumnSets sets(pattern.num_cols);
  for (Index column = 0; column < pattern.num_cols; ++column) {
    for (const Index row : rows_of(pattern, column)) {
      sets.join(column, column_of_row[at(row)]);
    }
  }
  std::vector<Count> num_entries(at(pattern.num_cols), 0);  // [first column of a set]
  for (Index column = 0; column < pattern.num_cols; ++column) {
    num_entries[at(sets.find(column))] += static_cast<Count>(rows_of(pattern, column).size());
  }
  if (*std::max_element(num_entries.begin(), num_entries.end()) > most_entries) {
    return;
  }
  const std::vector<Index> part_of_set = gather_sets(sets, num_entries);
  const Index part = *std::max_element(part_of_set.begin(), part_of_set.end());
  col_begins_.assign(at(part) + 2, 0);
  for (Index column = 0; column < pattern.num_cols; ++column) {
    ++col_begins_[at(part_of_set[at(sets.find(column))]) + 1];
  }
  std::partial_sum(col_begins_.begin(), col_begins_.end(), col_begins_.begin());
  row_begins_ = col_begins_;  // rows are matched with columns of the same part
  cols_.resize(at(pattern.num_cols));
  rows_.resize(at(pattern.num_cols));
  places_.resize(at(pattern.num_cols));
  std::vector<std::size_t> next_col(col_begins_.begin(), col_begins_.end() - 1);
  std::vector<std::size_t> next_row = next_col;
  for (Index k = 0; k < pattern.num_cols; ++k) {
    cols_[next_col[at(part_of_set[at(sets.find(k))])]++] = k;
    const auto part_of_row = at(part_of_set[at(sets.find(column_of_row[at(k)]))]);
    places_[at(k)] = static_cast<Index>(next_row[part_of_row] - row_begins_[part_of_row]);
    rows_[next_row[part_of_row]++] = k;
  }
}

PartMatrix::PartMatrix(const LogMatrix& whole, const IndependentParts& parts, std::size_t part,
                       std::span<const Index> row_of_whole_column) {
  const std::span<const Index> cols = parts.cols(part);
  const PatternView& pattern = whole.pattern;
  column_offsets.assign(1, 0);
  for (const Index column : cols) {
    const auto begin = at(pattern.column_offsets[at(column)]);
    const std::span<const Index> rows = rows_of(pattern, column);
    std::transform(rows.begin(), rows.end(), std::back_inserter(row_indices), [&](Index row) { return parts.place(row); });
    matrix.logs.insert(matrix.logs.end(), whole.logs.begin() + begin,
                       whole.logs.begin() + static_cast<std::ptrdiff_t>(begin + rows.size()));
    column_offsets.push_back(static_cast<Count>(row_indices.size()));
    row_of_column.push_back(parts.place(static_cast<Index>(chosen_row(row_of_whole_column, at(column)))));
  }
  const auto order = static_cast<Index>(cols.size());
  matrix.pattern = {order, order, Symmetry::general, column_offsets, row_indices};
  matrix.epsilon = whole.epsilon;
}

}  // namespace frond
