// SPDX-License-Identifier: BSD-3-Clause
// Phases of depth-first searches; a row is entered at most once a phase.
#include "analysis/pivots/structural_rank.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/graph/owned_pattern.hpp"
#include "analysis/graph/permutation.hpp"

namespace frond {
namespace {

constexpr Index kUnmatched = -1;

bool has_whole_diagonal(const PatternView& pattern) {
  for (Index j = 0; j < pattern.num_cols; ++j) {
    const Index* begin = pattern.row_indices.data() + pattern.column_offsets[static_cast<std::size_t>(j)];
    const Index* end = pattern.row_indices.data() + pattern.column_offsets[static_cast<std::size_t>(j) + 1];
    if (std::find(begin, end, j) == end) {
      return false;
    }
  }
  return pattern.num_rows >= pattern.num_cols;
}

// Both triangles of a pattern of which one is held.
OwnedPattern both_triangles(const PatternView& triangle) {
  const auto order = static_cast<std::size_t>(triangle.num_cols);
  OwnedPattern whole{triangle.num_cols, Symmetry::general, std::vector<Count>(order + 1, 0), {}};
  const auto for_each = [&](auto visit) {
    for (std::size_t j = 0; j < order; ++j) {
      for (Count entry = triangle.column_offsets[j]; entry < triangle.column_offsets[j + 1]; ++entry) {
        const auto i = static_cast<std::size_t>(triangle.row_indices[static_cast<std::size_t>(entry)]);
        visit(i, j);
        if (i != j) {
          visit(j, i);
        }
      }
    }
  };
  for_each([&](std::size_t /*row*/, std::size_t column) { ++whole.column_offsets[column + 1]; });
  std::partial_sum(whole.column_offsets.begin(), whole.column_offsets.end(), whole.column_offsets.begin());
  whole.row_indices.resize(static_cast<std::size_t>(whole.column_offsets.back()));
  std::vector<Count> next(whole.column_offsets.begin(), whole.column_offsets.end() - 1);
  for_each([&](std::size_t row, std::size_t column) {
    whole.row_indices[static_cast<std::size_t>(next[column]++)] = static_cast<Index>(row);
  });
  return whole;
}

class Matching {
 public:
  explicit Matching(const PatternView& pattern)
      : pattern_(pattern),
        column_of_row_(static_cast<std::size_t>(pattern.num_rows), kUnmatched),
        entered_in_phase_(column_of_row_.size(), -1),
        look_ahead_(pattern.column_offsets.begin(), pattern.column_offsets.end() - 1),
        next_entry_(look_ahead_.size()) {}

  /// The columns that are left.
  [[nodiscard]] std::vector<Index> run() {
    std::vector<Index> unmatched(static_cast<std::size_t>(pattern_.num_cols));
    std::iota(unmatched.begin(), unmatched.end(), 0);
    for (Index phase = 0;; ++phase) {
      next_entry_.assign(pattern_.column_offsets.begin(), pattern_.column_offsets.end() - 1);
      std::vector<Index> left;
      for (const Index column : unmatched) {
        if (!augment(column, phase)) {
          left.push_back(column);
        }
      }
      if (left.size() == unmatched.size() || left.empty()) {
        return left;
      }
      unmatched = std::move(left);
    }
  }

  [[nodiscard]] const std::vector<Index>& column_of_row() const { return column_of_row_; }

 private:
  // Searches an augmenting path from `root`; path_ holds its columns, path_rows_[i] the row that leads from path_[i] to path_[i+1].
  bool augment(Index root, Index phase) {
    path_.assign(1, root);
    path_rows_.clear();
    while (!path_.empty()) {
      const Index column = path_.back();
      if (const Index row = free_row(column); row != kUnmatched) {
        path_rows_.push_back(row);
        for (std::size_t i = 0; i < path_.size(); ++i) {
          column_of_row_[static_cast<std::size_t>(path_rows_[i])] = path_[i];
        }
        return true;
      }
      if (const Index row = row_to_enter(column, phase); row != kUnmatched) {
        path_rows_.push_back(row);
        path_.push_back(column_of_row_[static_cast<std::size_t>(row)]);
      } else {
        path_.pop_back();
        if (!path_rows_.empty()) {
          path_rows_.pop_back();
        }
      }
    }
    return false;
  }

  // A row of the column that no column has yet. Rows never become free again, so each entry is looked at once in all phases.
  Index free_row(Index column) {
    Count& entry = look_ahead_[static_cast<std::size_t>(column)];
    const Count end = pattern_.column_offsets[static_cast<std::size_t>(column) + 1];
    while (entry < end) {
      const Index row = pattern_.row_indices[static_cast<std::size_t>(entry++)];
      if (column_of_row_[static_cast<std::size_t>(row)] == kUnmatched) {
        return row;
      }
    }
    return kUnmatched;
  }

  Index row_to_enter(Index column, Index phase) {
    Count& entry = next_entry_[static_cast<std::size_t>(column)];
    const Count end = pattern_.column_offsets[static_cast<std::size_t>(column) + 1];
    while (entry < end) {
      const Index row = pattern_.row_indices[static_cast<std::size_t>(entry++)];
      if (entered_in_phase_[static_cast<std::size_t>(row)] != phase) {
        entered_in_phase_[static_cast<std::size_t>(row)] = phase;
        return row;
      }
    }
    return kUnmatched;
  }

  const PatternView& pattern_;
  std::vector<Index> column_of_row_;
  std::vector<Index> entered_in_phase_;  // [row] = last phase that entered it
  std::vector<Count> look_ahead_;        // [column] = next entry to look at for a free row
  std::vector<Count> next_entry_;        // [column] = next entry to follow in this phase
  std::vector<Index> path_;
  std::vector<Index> path_rows_;
};

}  // namespace

StructuralRank structural_rank(const PatternView& pattern) {
  StructuralRank result;
  if (pattern.num_cols == 0 || has_whole_diagonal(pattern)) {
    result.rank = pattern.num_cols;
    return result;
  }
  if (pattern.symmetry != Symmetry::general) {
    return structural_rank(both_triangles(pattern).view());
  }
  Matching matching(pattern);
  result.unmatched_columns = matching.run();
  result.rank = pattern.num_cols - static_cast<Index>(result.unmatched_columns.size());
  if (result.unmatched_columns.empty() && pattern.num_rows == pattern.num_cols) {
    result.row_of_column = invert(matching.column_of_row());
  }
  return result;
}

}  // namespace frond
