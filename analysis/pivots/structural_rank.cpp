// SPDX-License-Identifier: BSD-3-Clause
// Computes the structural rank, by a matching along any entries.
#include "analysis/pivots/structural_rank.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "analysis/graph/owned_pattern.hpp"
#include "analysis/graph/permutation.hpp"
#include "analysis/pivots/cardinality_matching.hpp"

namespace frond {
namespace {

bool has_whole_diagonal(const PatternView& pattern) {
  for (Index j = 0; j < pattern.num_cols; ++j) {
    const Index* begin = pattern.row_indices.data() + pattern.column_offsets[j];
    const Index* end = pattern.row_indices.data() + pattern.column_offsets[static_cast<std::size_t>(j) + 1];
    if (std::find(begin, end, j) == end) {
      return false;
    }
  }
  return pattern.num_rows >= pattern.num_cols;
}

// Returns both triangles of a pattern of which one is held.
OwnedPattern both_triangles(const PatternView& triangle) {
  const auto order = static_cast<std::size_t>(triangle.num_cols);
  OwnedPattern whole{triangle.num_cols, Symmetry::general, std::vector<Count>(order + 1, 0), {}};
  const auto for_each = [&](auto visit) {
    for (std::size_t j = 0; j < order; ++j) {
      for (Count entry = triangle.column_offsets[j]; entry < triangle.column_offsets[j + 1]; ++entry) {
        const auto i = static_cast<std::size_t>(triangle.row_indices[entry]);
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
  for_each([&](std::size_t row, std::size_t column) { whole.row_indices[next[column]++] = static_cast<Index>(row); });
  return whole;
}

constexpr Index kUnmatched = -1;

// The rows or the columns, and what each meets on the other side.
class Side {
 public:
  Side(std::span<const Count> offsets, std::span<const Index> partners)
      : offsets_(offsets), partners_(partners), num_left_(offsets.size() - 1), code_(offsets.size() - 1, 0) {
    for (std::size_t k = num_left_.size(); k-- > 0;) {  // so that the first are matched first
      for (const Index partner : partners_of(static_cast<Index>(k))) {
        code_[k] ^= partner;
      }
      num_left_[k] = static_cast<Index>(offsets_[k + 1] - offsets_[k]);
      if (num_left_[k] == 1) {
        singles_.push_back(static_cast<Index>(k));
      }
    }
  }

  [[nodiscard]] std::span<const Index> partners_of(Index k) const {
    return partners_.subspan(offsets_[k], offsets_[k + 1] - offsets_[k]);
  }
  void lose(Index k, Index partner) {
    code_[k] ^= partner;
    if (--num_left_[k] == 1) {
      singles_.push_back(k);
    }
  }

  // Matches each that has one partner left with that, and calls record(own, partner).
  template <class Record>
  void match_singles(Side& other, const Record& record) {
    while (!singles_.empty()) {
      const Index own = singles_.back();
      singles_.pop_back();
      if (num_left_[own] == 1) {  // else this partner has been matched since
        const Index partner = code_[own];
        record(own, partner);
        num_left_[own] = other.num_left_[partner] = 0;
        std::ranges::for_each(other.partners_of(partner), [&](Index k) { lose(k, partner); });
        std::ranges::for_each(partners_of(own), [&](Index k) { other.lose(k, own); });
      }
    }
  }
  [[nodiscard]] bool has_singles() const { return !singles_.empty(); }

 private:
  std::span<const Count> offsets_;
  std::span<const Index> partners_;
  std::vector<Index> num_left_;  // partners that are not matched; at most 0 once it is matched itself
  std::vector<Index> code_;      // the exclusive or of their numbers: the number of the last one
  std::vector<Index> singles_;
};

// Returns the columns of each row.
OwnedPattern transposed(const PatternView& pattern) {
  OwnedPattern rows{pattern.num_rows, Symmetry::general, std::vector<Count>(static_cast<std::size_t>(pattern.num_rows) + 1, 0), {}};
  for (const Index row : pattern.row_indices) {
    ++rows.column_offsets[row + 1];
  }
  std::partial_sum(rows.column_offsets.begin(), rows.column_offsets.end(), rows.column_offsets.begin());
  rows.row_indices.resize(pattern.row_indices.size());
  std::vector<Count> next(rows.column_offsets.begin(), rows.column_offsets.end() - 1);
  for (Index column = 0; column < pattern.num_cols; ++column) {
    for (Count entry = pattern.column_offsets[column]; entry < pattern.column_offsets[column + 1]; ++entry) {
      rows.row_indices[next[pattern.row_indices[entry]]++] = column;
    }
  }
  return rows;
}

// Returns [row] = column or kUnmatched, for pairs that belong to a maximum matching: a row or column that meets only one other is
// matched with that, as long as there is one. Of a permuted triangle these are all. O(entries).
std::vector<Index> match_singles(const PatternView& pattern) {
  std::vector<Index> column_of_row(static_cast<std::size_t>(pattern.num_rows), kUnmatched);
  const OwnedPattern by_rows = transposed(pattern);
  Side columns(pattern.column_offsets, pattern.row_indices);
  Side rows(by_rows.column_offsets, by_rows.row_indices);
  while (columns.has_singles() || rows.has_singles()) {
    columns.match_singles(rows, [&](Index column, Index row) { column_of_row[row] = column; });
    rows.match_singles(columns, [&](Index row, Index column) { column_of_row[row] = column; });
  }
  return column_of_row;
}

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
  std::vector<Index> column_of_row = match_singles(pattern);
  std::vector<char> is_matched(static_cast<std::size_t>(pattern.num_cols), 0);
  for (const Index column : column_of_row) {
    if (column != kUnmatched) {
      is_matched[column] = 1;
    }
  }
  std::vector<Index> columns;
  for (Index column = 0; column < pattern.num_cols; ++column) {
    if (is_matched[column] == 0) {
      columns.push_back(column);
    }
  }
  if (!columns.empty()) {
    const auto uses = [](Count /*entry*/, Index /*column*/) { return true; };
    CardinalityMatching matching(pattern, std::move(column_of_row), uses);
    result.unmatched_columns = matching.run(std::move(columns), std::numeric_limits<Index>::max());
    column_of_row = matching.column_of_row();
  }
  result.rank = pattern.num_cols - static_cast<Index>(result.unmatched_columns.size());
  if (result.unmatched_columns.empty() && pattern.num_rows == pattern.num_cols) {
    result.row_of_column = invert(column_of_row);
  }
  return result;
}

}  // namespace frond
