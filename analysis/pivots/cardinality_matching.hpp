// SPDX-License-Identifier: BSD-3-Clause
// Matchings of as many columns as possible, by phases of depth-first searches with lookahead (Pothen & Fan 1990, "Computing the
// block triangular form of a sparse matrix", ACM Trans. Math. Softw. 16); a row is entered at most once per phase.
#pragma once

#include <utility>
#include <vector>

#include "analysis/pivots/structural_rank.hpp"
#include "frond/matrix.hpp"

namespace frond {

/// uses(entry, column) says along which entries columns may be matched. O(phases times entries), usually few phases.
template <class Uses>
class CardinalityMatching {
 public:
  /// Begins with the matching of [row] = column, or kUnmatched.
  CardinalityMatching(const PatternView& pattern, std::vector<Index> column_of_row, Uses uses)
      : pattern_(pattern),
        uses_(std::move(uses)),
        column_of_row_(std::move(column_of_row)),
        entered_in_phase_(column_of_row_.size(), -1),
        look_ahead_(pattern.column_offsets.begin(), pattern.column_offsets.end() - 1),
        next_entry_(look_ahead_.size()) {}

  /// Matches further columns, in at most `most_phases` phases. Returns those that are left: if fewer phases were needed, no
  /// matching along usable entries has more columns.
  [[nodiscard]] std::vector<Index> run(std::vector<Index> unmatched, Index most_phases) {
    for (Index phase = 0; phase < most_phases && !unmatched.empty(); ++phase) {
      next_entry_.assign(pattern_.column_offsets.begin(), pattern_.column_offsets.end() - 1);
      std::vector<Index> left;
      for (const Index column : unmatched) {
        if (!augment(column, phase)) {
          left.push_back(column);
        }
      }
      const bool is_maximal = left.size() == unmatched.size();
      unmatched = std::move(left);
      if (is_maximal) {
        break;
      }
    }
    return unmatched;
  }

  [[nodiscard]] const std::vector<Index>& column_of_row() const { return column_of_row_; }

 private:
  static std::size_t at(Count index) { return static_cast<std::size_t>(index); }

  // Searches an augmenting path from `root`; path_ holds its columns, path_rows_[i] the row that leads from path_[i] to path_[i+1].
  bool augment(Index root, Index phase) {
    path_.assign(1, root);
    path_rows_.clear();
    while (!path_.empty()) {
      const Index column = path_.back();
      if (const Index row = free_row(column); row != kUnmatched) {
        path_rows_.push_back(row);
        for (std::size_t i = 0; i < path_.size(); ++i) {
          column_of_row_[at(path_rows_[i])] = path_[i];
        }
        return true;
      }
      if (const Index row = row_to_enter(column, phase); row != kUnmatched) {
        path_rows_.push_back(row);
        path_.push_back(column_of_row_[at(row)]);
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
    Count& entry = look_ahead_[at(column)];
    for (const Count end = pattern_.column_offsets[at(column) + 1]; entry < end; ++entry) {
      const Index row = pattern_.row_indices[at(entry)];
      if (column_of_row_[at(row)] == kUnmatched && uses_(entry, column)) {
        ++entry;
        return row;
      }
    }
    return kUnmatched;
  }

  Index row_to_enter(Index column, Index phase) {
    Count& entry = next_entry_[at(column)];
    for (const Count end = pattern_.column_offsets[at(column) + 1]; entry < end; ++entry) {
      const Index row = pattern_.row_indices[at(entry)];
      if (entered_in_phase_[at(row)] != phase && uses_(entry, column)) {
        entered_in_phase_[at(row)] = phase;
        ++entry;
        return row;
      }
    }
    return kUnmatched;
  }

  PatternView pattern_;
  Uses uses_;
  std::vector<Index> column_of_row_;
  std::vector<Index> entered_in_phase_;  // [row] = last phase that entered it
  std::vector<Count> look_ahead_;        // [column] = next entry to examine for a free row
  std::vector<Count> next_entry_;        // [column] = next entry to follow in this phase
  std::vector<Index> path_;
  std::vector<Index> path_rows_;
};

}  // namespace frond
