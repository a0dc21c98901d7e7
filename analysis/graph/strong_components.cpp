// SPDX-License-Identifier: BSD-3-Clause
// One depth-first search; a component is complete when the search leaves its first column.
#include "analysis/graph/strong_components.hpp"

#include <algorithm>

namespace frond {
namespace {

constexpr Index kNotVisited = -1;

class Search {
 public:
  Search(const PatternView& pattern, std::span<const Index> column_of_row)
      : pattern_(pattern),
        column_of_row_(column_of_row),
        visit_(pattern.num_cols, kNotVisited),
        lowest_(pattern.num_cols),
        next_entry_(pattern.column_offsets.begin(), pattern.column_offsets.end() - 1) {
    path_.reserve(pattern.num_cols);
    waiting_.reserve(pattern.num_cols);
    result_.of_column.assign(pattern.num_cols, kNotVisited);
  }

  [[nodiscard]] StrongComponents run() {
    for (Index column = 0; column < pattern_.num_cols; ++column) {
      if (visit_[column] == kNotVisited) search_from(column);
    }
    return std::move(result_);
  }

 private:
  void search_from(Index root) {
    enter(root);
    while (!path_.empty()) {
      const Index column = path_.back();
      if (next_entry_[column] < pattern_.column_offsets[column + 1]) {
        look_at(column, column_of_row_[pattern_.row_indices[next_entry_[column]++]]);
      } else {
        leave(column);
      }
    }
  }

  void enter(Index column) {
    visit_[column] = lowest_[column] = num_visited_++;
    path_.push_back(column);
    waiting_.push_back(column);
  }

  void look_at(Index column, Index target) {
    if (visit_[target] == kNotVisited) {
      enter(target);
    } else if (result_.of_column[target] == kNotVisited) {
      lowest_[column] = std::min(lowest_[column], visit_[target]);
    }
  }

  void leave(Index column) {
    path_.pop_back();
    if (!path_.empty()) lowest_[path_.back()] = std::min(lowest_[path_.back()], lowest_[column]);
    if (lowest_[column] != visit_[column]) return;
    for (Index member = kNotVisited; member != column;) {
      member = waiting_.back();
      waiting_.pop_back();
      result_.of_column[member] = result_.count;
    }
    ++result_.count;
  }

  const PatternView& pattern_;
  std::span<const Index> column_of_row_;
  std::vector<Index> visit_;       // [column] = how many columns were visited before it
  std::vector<Index> lowest_;      // [column] = the earliest visit known to be in its component
  std::vector<Count> next_entry_;  // [column] = the next one to follow
  std::vector<Index> path_;        // from the root to the current column
  std::vector<Index> waiting_;     // visited, component not complete
  Index num_visited_ = 0;
  StrongComponents result_;
};

}  // namespace

StrongComponents strong_components(const PatternView& pattern, std::span<const Index> column_of_row) {
  return Search(pattern, column_of_row).run();
}

}  // namespace frond
