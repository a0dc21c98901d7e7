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
#include "analysis/pivots/singletons.hpp"

namespace frond {
namespace {

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

// Returns [row] = column or kUnmatched, for pairs that belong to a maximum matching.
std::vector<Index> match_singles(const PatternView& pattern) {
  std::vector<Index> column_of_row(static_cast<std::size_t>(pattern.num_rows), kUnmatched);
  const Singletons singletons = find_singletons(pattern);
  for (const auto* pairs : {&singletons.first, &singletons.last}) {
    for (const auto& [row, column] : *pairs) {
      column_of_row[row] = column;
    }
  }
  return column_of_row;
}

}  // namespace

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

std::vector<Index> complete_matching(const PatternView& pattern, std::vector<Index>& column_of_row) {
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
  if (columns.empty()) {
    return columns;
  }
  const auto uses = [](Count /*entry*/, Index /*column*/) { return true; };
  CardinalityMatching matching(pattern, std::move(column_of_row), uses);
  columns = matching.run(std::move(columns), std::numeric_limits<Index>::max());
  column_of_row = matching.column_of_row();
  return columns;
}

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
  result.unmatched_columns = complete_matching(pattern, column_of_row);
  result.rank = pattern.num_cols - static_cast<Index>(result.unmatched_columns.size());
  if (result.unmatched_columns.empty() && pattern.num_rows == pattern.num_cols) {
    result.row_of_column = invert(column_of_row);
  }
  return result;
}

}  // namespace frond
