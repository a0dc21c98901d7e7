// SPDX-License-Identifier: BSD-3-Clause
// The assignment problem with costs -log |a_ij|: a matching is best exactly if there are duals u, v with
//     reduced cost  c_ij - u_i - v_j >= 0  for all entries,  = 0  for those that are matched.
// They are the logarithms of scales. Rows that a search without success has reached are left out of later searches, and so are
// their entries in columns that come later: in the end each such set of rows, with the columns matched to them, is shifted as a
// whole.
#include "analysis/pivots/weighted_matching.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "analysis/pivots/cardinality_matching.hpp"

namespace frond {
namespace {

constexpr Index kNone = -1;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Assignment {
 public:
  Assignment(const PatternView& pattern, std::vector<double> costs, Count most_looks)
      : pattern_(pattern),
        costs_(std::move(costs)),
        looks_left_(most_looks),
        row_duals_(size(), kInfinity),
        column_duals_(size(), 0.0),
        column_of_row_(size(), kNone),
        entry_of_column_(size(), kNone),
        distance_(size(), kInfinity),
        reached_by_(size(), kNone),
        from_column_(size(), kNone),
        state_(size(), RowState::untouched),
        dead_set_(size(), kNone),
        failed_search_(size(), kNone) {}

  // Returns false if the searches visit more entries than they may.
  bool run() {
    find_duals();
    for (Index column = 0; column < pattern_.num_cols && looks_left_ >= 0; ++column) {
      match_tight(column);
    }
    for (Index column = 0; column < pattern_.num_cols && looks_left_ >= 0; ++column) {
      if (entry_of_column_[at(column)] == kNone) {
        augment(column);
      }
    }
    if (looks_left_ >= 0) {
      shift_dead_sets();
    }
    return looks_left_ >= 0;
  }

  // After run() has returned false: matches the remaining columns along entries of any reduced cost, small ones first.
  void complete_nearly(std::span<const double> tolerances) {
    std::vector<Index> left;
    for (Index column = 0; column < pattern_.num_cols; ++column) {
      if (entry_of_column_[at(column)] == kNone && failed_search_[at(column)] == kNone) {
        left.push_back(column);
      }
    }
    constexpr Index kMostPhases = 2;  // columns that they leave may be matched better with larger tolerances
    for (const double tolerance : tolerances) {
      left = match_within(tolerance, std::move(left), kMostPhases);
    }
    left = match_within(kInfinity, std::move(left), std::numeric_limits<Index>::max());
    shift_dead_sets();
  }

  [[nodiscard]] WeightedMatching result() const {
    WeightedMatching matching;
    matching.row_of_column.assign(size(), kNone);
    matching.is_matched.assign(size(), false);
    matching.row_logs = finite(row_duals_);
    matching.col_logs = finite(column_duals_);
    for (std::size_t column = 0; column < size(); ++column) {
      if (entry_of_column_[column] != kNone) {
        matching.row_of_column[column] = row(entry_of_column_[column]);
        matching.is_matched[column] = true;
        ++matching.rank;
      }
    }
    for (Index column = 0; column < pattern_.num_cols; ++column) {
      const Count entry = entry_of_column_[at(column)];
      matching.gap += entry == kNone ? 0 : reduced_cost(entry, column);
    }
    complete(matching);
    return matching;
  }

 private:
  enum class RowState : char {
    untouched,
    reached,  // in the current search
    settled,  // at its final distance
    dead      // no augmenting path leads through it any more
  };

  static std::size_t at(Count index) { return static_cast<std::size_t>(index); }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(pattern_.num_cols); }
  [[nodiscard]] Index row(Count entry) const { return pattern_.row_indices[at(entry)]; }
  [[nodiscard]] Count begin(Index column) const { return pattern_.column_offsets[at(column)]; }
  [[nodiscard]] Count end(Index column) const { return pattern_.column_offsets[at(column) + 1]; }
  [[nodiscard]] bool is_free(Index row) const { return column_of_row_[at(row)] == kNone; }
  // Rounding may make it negative.
  [[nodiscard]] double reduced_cost(Count entry, Index column) const {
    return std::max(0.0, costs_[at(entry)] - row_duals_[at(row(entry))] - column_duals_[at(column)]);
  }

  // Makes the duals of rows as large as they may be with column duals of 0, and then those of columns.
  void find_duals() {
    for (std::size_t entry = 0; entry < costs_.size(); ++entry) {
      double& dual = row_duals_[at(row(static_cast<Count>(entry)))];
      dual = std::min(dual, costs_[entry]);
    }
    for (Index column = 0; column < pattern_.num_cols; ++column) {
      double dual = kInfinity;
      for (Count entry = begin(column); entry < end(column); ++entry) {
        if (costs_[at(entry)] < kInfinity) {
          dual = std::min(dual, costs_[at(entry)] - row_duals_[at(row(entry))]);
        }
      }
      column_duals_[at(column)] = dual;
    }
  }

  // Matches along an entry of reduced cost zero: to a free row, or to one whose column can move to another free row.
  void match_tight(Index column) {
    for (Count entry = begin(column); entry < end(column); ++entry) {
      if (is_tight(entry, column) && is_free(row(entry))) {
        return match(column, entry);
      }
    }
    for (Count entry = begin(column); entry < end(column); ++entry) {
      if (is_tight(entry, column)) {
        const Index other = column_of_row_[at(row(entry))];
        looks_left_ -= end(other) - begin(other);
        for (Count detour = begin(other); detour < end(other); ++detour) {
          if (is_tight(detour, other) && is_free(row(detour))) {
            match(other, detour);
            return match(column, entry);
          }
        }
      }
    }
  }

  [[nodiscard]] bool is_tight(Count entry, Index column) const {
    return costs_[at(entry)] < kInfinity && reduced_cost(entry, column) == 0;
  }

  void match(Index column, Count entry) {
    entry_of_column_[at(column)] = entry;
    column_of_row_[at(row(entry))] = column;
  }

  // Searches the free row that is nearest to `root`, a free column, in the sum of reduced costs, and matches along the way there.
  void augment(Index root) {
    nearest_free_row_ = kNone;
    nearest_distance_ = kInfinity;
    scan(root, 0);
    for (Index settled = next_row(); settled != kNone; settled = next_row()) {
      state_[at(settled)] = RowState::settled;
      settled_.push_back(settled);
      scan(column_of_row_[at(settled)], distance_[at(settled)]);
    }
    if (nearest_free_row_ == kNone) {
      bury(root);
    } else {
      raise_duals(root);
    }
    forget();
  }

  // Follows the entries of a column at this distance from the root.
  void scan(Index column, double distance) {
    looks_left_ -= end(column) - begin(column);
    for (Count entry = begin(column); entry < end(column); ++entry) {
      const Index reached = row(entry);
      RowState& state = state_[at(reached)];
      if (state == RowState::settled || state == RowState::dead || costs_[at(entry)] == kInfinity) {
        continue;
      }
      const double there = distance + reduced_cost(entry, column);
      if (there >= nearest_distance_ || (state == RowState::reached && there >= distance_[at(reached)])) {
        continue;
      }
      if (state == RowState::untouched) {
        state = RowState::reached;
        touched_.push_back(reached);
      }
      distance_[at(reached)] = there;
      reached_by_[at(reached)] = entry;
      from_column_[at(reached)] = column;
      if (is_free(reached)) {
        nearest_free_row_ = reached;
        nearest_distance_ = there;
      } else if (there == distance) {
        level_.push_back(reached);
      } else {
        queue_.emplace_back(there, reached);
        std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
      }
    }
  }

  // Returns the row to settle next: one at the distance of the last, or the nearest of the queue; kNone when the free row is
  // nearer.
  Index next_row() {
    while (!level_.empty()) {
      const Index candidate = level_.back();
      level_.pop_back();
      if (state_[at(candidate)] == RowState::reached && distance_[at(candidate)] < nearest_distance_) {
        return candidate;
      }
    }
    while (!queue_.empty() && queue_.front().first < nearest_distance_) {
      const Index candidate = queue_.front().second;
      std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
      queue_.pop_back();
      if (state_[at(candidate)] == RowState::reached) {
        return candidate;
      }
    }
    return kNone;
  }

  // Makes the reduced costs along the path to the free row zero, and matches along it.
  void raise_duals(Index root) {
    for (const Index settled : settled_) {
      row_duals_[at(settled)] += distance_[at(settled)] - nearest_distance_;
    }
    std::vector<Index> columns(1, root);
    std::transform(settled_.begin(), settled_.end(), std::back_inserter(columns),
                   [this](Index settled) { return column_of_row_[at(settled)]; });
    for (Index free_row = nearest_free_row_; free_row != kNone;) {
      const Index column = from_column_[at(free_row)];
      const Count freed = entry_of_column_[at(column)];
      match(column, reached_by_[at(free_row)]);
      free_row = freed == kNone ? kNone : row(freed);
    }
    for (const Index column : columns) {
      const Count entry = entry_of_column_[at(column)];
      column_duals_[at(column)] = costs_[at(entry)] - row_duals_[at(row(entry))];
    }
  }

  // Matches columns of `columns` along entries of at most that reduced cost, and returns those that are left. Dead rows stay as
  // they are: no path to a free row leads through them.
  std::vector<Index> match_within(double tolerance, std::vector<Index> columns, Index most_phases) {
    const auto uses = [this, tolerance](Count entry, Index column) {
      return costs_[at(entry)] < kInfinity && state_[at(row(entry))] != RowState::dead && reduced_cost(entry, column) <= tolerance;
    };
    CardinalityMatching matching(pattern_, column_of_row_, uses);
    columns = matching.run(std::move(columns), most_phases);
    std::vector<Index> row_of_column(size(), kNone);
    for (Index k = 0; k < pattern_.num_cols; ++k) {
      const Index column = matching.column_of_row()[at(k)];
      if (column != kNone && column_of_row_[at(k)] != column) {
        row_of_column[at(column)] = k;
      }
    }
    for (Index column = 0; column < pattern_.num_cols; ++column) {
      for (Count entry = begin(column); row_of_column[at(column)] != kNone && entry < end(column); ++entry) {
        if (row(entry) == row_of_column[at(column)]) {
          match(column, entry);
          break;
        }
      }
    }
    return columns;
  }

  // Rows reached by a search without success need not be entered by later ones.
  void bury(Index root) {
    failed_search_[at(root)] = num_dead_sets_;
    for (const Index reached : touched_) {
      state_[at(reached)] = RowState::dead;
      dead_set_[at(reached)] = num_dead_sets_;
    }
    ++num_dead_sets_;
  }

  // [column] = the set of its matched row, or that of the search that began there; kNone: alive. A column has entries in rows of
  // its own set and of earlier ones only, a column that is alive in all.
  [[nodiscard]] Index set_of_column(Index column) const {
    const Count entry = entry_of_column_[at(column)];
    return entry == kNone ? failed_search_[at(column)] : dead_set_[at(row(entry))];
  }

  // Shifts the rows of each set, against its columns, until the largest of their entries in other columns are tight; from the last
  // set to the first, since later ones restrict earlier ones.
  void shift_dead_sets() {
    if (num_dead_sets_ == 0) {
      return;
    }
    std::vector<std::vector<Index>> columns(at(num_dead_sets_) + 1);
    for (Index column = 0; column < pattern_.num_cols; ++column) {
      const Index set = set_of_column(column);
      columns[at(set == kNone ? num_dead_sets_ : set)].push_back(column);
    }
    std::vector<double> shifts(columns.size(), kInfinity);
    for (std::size_t set = columns.size(); set-- > 0;) {
      shifts[set] = std::isfinite(shifts[set]) ? shifts[set] : 0;
      for (const Index column : columns[set]) {
        restrict_shifts(column, static_cast<Index>(set), shifts);
        column_duals_[at(column)] -= shifts[set];
      }
    }
    for (std::size_t k = 0; k < size(); ++k) {
      row_duals_[k] += dead_set_[k] == kNone ? 0 : shifts[at(dead_set_[k])];
    }
  }

  void restrict_shifts(Index column, Index set, std::vector<double>& shifts) const {
    for (Count entry = begin(column); entry < end(column); ++entry) {
      const Index other = dead_set_[at(row(entry))];
      if (other != kNone && other != set && costs_[at(entry)] < kInfinity) {
        const double slack = costs_[at(entry)] - row_duals_[at(row(entry))] - column_duals_[at(column)];
        shifts[at(other)] = std::min(shifts[at(other)], slack + shifts[at(set)]);
      }
    }
  }

  static std::vector<double> finite(std::vector<double> duals) {
    std::replace_if(
        duals.begin(), duals.end(), [](double dual) { return !std::isfinite(dual); }, 0.0);
    return duals;
  }

  void forget() {
    for (const Index reached : touched_) {
      if (state_[at(reached)] != RowState::dead) {
        state_[at(reached)] = RowState::untouched;
      }
    }
    touched_.clear();
    settled_.clear();
    level_.clear();
    queue_.clear();
  }

  void complete(WeightedMatching& matching) const {
    std::vector<Index> free_rows;
    for (Index column = 0; column < pattern_.num_cols; ++column) {
      if (!is_free(column)) {
        continue;
      }
      if (matching.row_of_column[at(column)] == kNone) {
        matching.row_of_column[at(column)] = column;
      } else {
        free_rows.push_back(column);
      }
    }
    for (Index& matched : matching.row_of_column) {
      if (matched == kNone) {
        matched = free_rows.back();
        free_rows.pop_back();
      }
    }
  }

  PatternView pattern_;
  std::vector<double> costs_;  // [entry]; infinite for zeros
  Count looks_left_;
  std::vector<double> row_duals_;       // infinite for rows without entries
  std::vector<double> column_duals_;    // likewise
  std::vector<Index> column_of_row_;    // kNone: free
  std::vector<Count> entry_of_column_;  // kNone: free

  // The current search; by rows.
  std::vector<double> distance_;
  std::vector<Count> reached_by_;  // entry
  std::vector<Index> from_column_;
  std::vector<RowState> state_;
  std::vector<Index> touched_;
  std::vector<Index> settled_;
  std::vector<Index> level_;                     // rows at the distance of the one settled last
  std::vector<std::pair<double, Index>> queue_;  // heap of distances and rows, some of them out of date
  Index nearest_free_row_ = kNone;
  double nearest_distance_ = kInfinity;

  std::vector<Index> dead_set_;       // [row] = the search without success that reached it, counted from 0; kNone: none
  std::vector<Index> failed_search_;  // [column] = the search that began there
  Index num_dead_sets_ = 0;
};

std::vector<double> logarithms_of(const MatrixView<double>& matrix) {
  std::vector<double> logarithms(matrix.values.size());
  std::transform(matrix.values.begin(), matrix.values.end(), logarithms.begin(), [](double value) { return std::log(value); });
  return logarithms;
}

}  // namespace

WeightedMatching largest_product_matching(const MatrixView<double>& matrix) {
  return *largest_product_matching(matrix.pattern, logarithms_of(matrix), std::numeric_limits<Count>::max());
}

WeightedMatching nearly_largest_product_matching(const MatrixView<double>& matrix, Count most_looks) {
  constexpr double kOctave = 0.6931471805599453;
  constexpr std::array<double, 2> kTolerances = {4 * kOctave, 32 * kOctave};
  return nearly_largest_product_matching(matrix.pattern, logarithms_of(matrix), most_looks, kTolerances);
}

std::optional<WeightedMatching> largest_product_matching(const PatternView& pattern, std::vector<double> logarithms,
                                                         Count most_looks) {
  std::transform(logarithms.begin(), logarithms.end(), logarithms.begin(), std::negate<>());
  Assignment assignment(pattern, std::move(logarithms), most_looks);
  return assignment.run() ? std::optional(assignment.result()) : std::nullopt;
}

WeightedMatching nearly_largest_product_matching(const PatternView& pattern, std::vector<double> logarithms, Count most_looks,
                                                 std::span<const double> tolerances) {
  std::transform(logarithms.begin(), logarithms.end(), logarithms.begin(), std::negate<>());
  Assignment assignment(pattern, std::move(logarithms), most_looks);
  if (!assignment.run()) {
    assignment.complete_nearly(tolerances);
  }
  return assignment.result();
}

}  // namespace frond
