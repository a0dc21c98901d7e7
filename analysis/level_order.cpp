// SPDX-License-Identifier: BSD-3-Clause
// The order of D, with rows that stay in their levels.
#include "analysis/level_order.hpp"

#include <utility>
#include <vector>

namespace frond {
namespace {

std::vector<double> magnitudes_of(const DiagonalLevels& levels, std::span<const double> magnitudes) {
  std::vector<double> of_levels;
  if (!magnitudes.empty()) {
    of_levels.reserve(levels.sources.size());
    for (const Count source : levels.sources) of_levels.push_back(magnitudes[source]);
  }
  return of_levels;
}

// By the matching of the structure, or a given one; without a look at values.
PivotOrder order_matched(const PatternView& diagonal, std::vector<Index> row_of_column, AnalysisOptions options) {
  options.ordering.row_of_column.clear();
  PatternView matched = diagonal;
  const LargeVector<Index> rows = renumbered_rows(diagonal, row_of_column);
  if (!rows.empty()) matched.row_indices = rows;
  PivotOrder order = order_for_pivots(matched, {}, options);
  order.matching = row_of_column.empty() ? MatchingKind::none : MatchingKind::rows;
  order.row_of_column = std::move(row_of_column);
  return order;
}

}  // namespace

PivotOrder order_by_levels(const PatternView& pattern, std::span<const double> magnitudes, const AnalysisOptions& options) {
  AnalysisOptions of_levels = options;
  of_levels.block_triangular = BlockTriangularUse::never;
  BlockTriangularForm form = find_block_triangular_form(pattern, options.block_triangular);
  const std::vector<Index>& given = options.ordering.row_of_column;
  const bool is_given = options.ordering.kind == OrderingKind::given && !given.empty();
  if (is_given) check_permutation(given, pattern.num_cols, "the given matching of rows and columns");
  PivotOrder order;
  if (!form.splits() || (is_given && !keeps_levels(form, given))) {
    form.num_levels = 1;
    order = order_for_pivots(pattern, magnitudes, of_levels);
  } else {
    const DiagonalLevels levels(pattern, form);
    const PatternView diagonal = levels.pattern();
    const bool moves_rows = !keeps_levels(form, {});
    if (moves_rows && of_levels.ordering.matching == MatchingUse::automatic) of_levels.ordering.matching = MatchingUse::always;
    const std::vector<double> of_entries = magnitudes_of(levels, magnitudes);
    const bool looks_at_values = !of_entries.empty() && of_levels.ordering.matching != MatchingUse::never;
    if (!moves_rows || looks_at_values || is_given) order = order_for_pivots(diagonal, of_entries, of_levels);
    if (order.row_of_column.empty() ? moves_rows : !keeps_levels(form, order.row_of_column)) {
      order = order_matched(diagonal, form.row_of_column, of_levels);
    }
  }
  if (form.num_levels == 1) form = {form.num_blocks, form.largest_block, 1, {}, {}, {}};
  order.blocks = std::move(form);
  return order;
}

}  // namespace frond
