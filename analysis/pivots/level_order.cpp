// SPDX-License-Identifier: BSD-3-Clause
// Orders D, with rows that stay in their levels.
#include "analysis/pivots/level_order.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace frond {
namespace {

// Returns the magnitudes of the entries within levels, selected when they are requested.
PivotMagnitudes magnitudes_of(const SelectedEntries& levels, const PivotMagnitudes& magnitudes) {
  if (!magnitudes.are_expected()) return {};
  const auto of_levels = std::make_shared<std::vector<double>>();
  return PivotMagnitudes([&levels, &magnitudes, of_levels] {
    if (of_levels->empty()) {
      const std::span<const double> all = magnitudes.get();
      of_levels->reserve(levels.sources.size());
      for (const Count source : levels.sources) of_levels->push_back(all[source]);
    }
    return std::span<const double>(*of_levels);
  });
}

// Orders by the matching of the structure, or a given one, without regard to values.
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

// Orders a form that splits. Weak pivots within a level are sought as in any matrix; rows that have to move are matched anyway.
PivotOrder order_levels(const PatternView& pattern, const PivotMagnitudes& magnitudes, const BlockTriangularForm& form,
                        AnalysisOptions options) {
  const SelectedEntries levels = levels_of(pattern, form);
  const PivotMagnitudes of_levels = magnitudes_of(levels, magnitudes);
  Use& use = options.ordering.matching;
  const bool moves_rows = !keeps_levels(form, {});
  if (moves_rows && use == Use::automatic) use = Use::always;
  const bool may_be_matched = !options.ordering.row_of_column.empty() || (of_levels.are_expected() && use != Use::never);
  if (!moves_rows || may_be_matched) {
    PivotOrder order = order_for_pivots(levels.pattern(), of_levels, options);
    if (keeps_levels(form, order.row_of_column)) return order;  // values that are zero may leave a matching incomplete
  }
  return order_matched(levels.pattern(), form.row_of_column, options);
}

bool has_given_matching(const OrderingOptions& ordering) {
  return ordering.kind == OrderingKind::given && !ordering.row_of_column.empty();
}

}  // namespace

PivotOrder order_by_levels(const PatternView& pattern, const PivotMagnitudes& magnitudes, const AnalysisOptions& options,
                           BlockTriangularForm form) {
  const OrderingOptions& ordering = options.ordering;
  AnalysisOptions without_form = options;
  without_form.block_triangular = Use::never;
  if (!has_given_matching(ordering)) {
    without_form.ordering.row_of_column.clear();  // it does not apply
  } else {
    check_permutation(ordering.row_of_column, pattern.num_cols, "the given matching of rows and columns");
  }
  if (has_given_matching(ordering) && !keeps_levels(form, ordering.row_of_column)) {
    form = {form.num_blocks, form.largest_block, 1, {}, {}, {}};
  }
  PivotOrder order = form.splits() ? order_levels(pattern, magnitudes, form, std::move(without_form))
                                   : order_for_pivots(pattern, magnitudes, without_form);
  order.blocks = std::move(form);
  return order;
}

}  // namespace frond
