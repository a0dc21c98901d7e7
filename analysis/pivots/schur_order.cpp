// SPDX-License-Identifier: BSD-3-Clause
// Orders the block of the variables that are eliminated, and extends the order to the whole matrix.
#include "analysis/pivots/schur_order.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "frond/error.hpp"
#include "matrices/large_vector.hpp"

namespace frond {
namespace {

constexpr Index kKept = -1;

/// The variables 0 .. n-1 that are eliminated, in increasing order.
struct Interior {
  std::vector<Index> variables;
  std::vector<Index> places;  // [variable] = its place among `variables`, or kKept
};

Interior find_interior(Index order, std::span<const Index> schur_variables) {
  Interior interior;
  interior.places.assign(order, 0);
  for (std::size_t k = 0; k < schur_variables.size(); ++k) {
    const Index variable = schur_variables[k];
    if (variable < 0 || variable >= order) {
      throw UsageError(fmt::format("entry {} of the variables of the Schur complement is {}, outside 0..{} (entries count from 0)",
                                   k, variable, order - 1));
    }
    if (interior.places[variable] == kKept) {
      throw UsageError(fmt::format(
          "variable {} comes again at entry {} of the variables of the Schur complement (both count from 0); name each once",
          variable, k));
    }
    interior.places[variable] = kKept;
  }
  for (Index variable = 0; variable < order; ++variable) {
    if (interior.places[variable] == kKept) continue;
    interior.places[variable] = static_cast<Index>(interior.variables.size());
    interior.variables.push_back(variable);
  }
  return interior;
}

/// The rows and columns of the interior, with arrays of its own.
struct InteriorBlock {
  std::vector<Count> column_offsets = {0};
  LargeVector<Index> row_indices;
  std::vector<double> magnitudes;

  InteriorBlock(const PatternView& pattern, std::span<const double> all_magnitudes, const Interior& interior) {
    for (const Index column : interior.variables) {
      for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
        const Index row = interior.places[pattern.row_indices[e]];
        if (row == kKept) continue;
        row_indices.push_back(row);
        if (!all_magnitudes.empty()) magnitudes.push_back(all_magnitudes[e]);
      }
      column_offsets.push_back(static_cast<Count>(row_indices.size()));
    }
  }

  [[nodiscard]] PatternView pattern(Symmetry symmetry) const {
    const Index order = static_cast<Index>(column_offsets.size()) - 1;
    return {order, order, symmetry, column_offsets, row_indices};
  }
};

/// Returns the part of a given ordering that concerns the interior.
OrderingOptions ordering_of_interior(const OrderingOptions& ordering, const Interior& interior) {
  OrderingOptions result = ordering;
  if (ordering.kind != OrderingKind::given) return result;
  const Index order = static_cast<Index>(interior.places.size());
  check_permutation(ordering.perm, order, "the given ordering");
  result.perm.clear();
  for (const Index variable : ordering.perm) {
    if (interior.places[variable] != kKept) result.perm.push_back(interior.places[variable]);
  }
  if (ordering.row_of_column.empty()) return result;
  check_permutation(ordering.row_of_column, order, "the given matching of rows and columns");
  result.row_of_column.clear();
  for (Index column = 0; column < order; ++column) {
    const Index row = ordering.row_of_column[column];
    const bool is_kept = interior.places[column] == kKept;
    if (is_kept ? row != column : interior.places[row] == kKept) {
      throw UsageError(
          fmt::format("the given matching takes row {} to the place of column {} (both count from 0), but a Schur complement keeps "
                      "its rows and "
                      "columns; match the others among themselves",
                      row, column));
    }
    if (!is_kept) result.row_of_column.push_back(interior.places[row]);
  }
  return result;
}

/// [column] = row, for all columns; empty if all rows keep their places.
std::vector<Index> lift_matching(const std::vector<Index>& row_of_column, const Interior& interior) {
  if (row_of_column.empty()) return {};
  std::vector<Index> lifted(interior.places.size());
  std::iota(lifted.begin(), lifted.end(), 0);
  for (std::size_t column = 0; column < row_of_column.size(); ++column) {
    lifted[interior.variables[column]] = interior.variables[row_of_column[column]];
  }
  return lifted;
}

/// Returns [variable] = the other one of its pair, or itself.
std::vector<Index> lift_pairs(const CompressedGraph& pairs, const Interior& interior) {
  std::vector<Index> partners(interior.places.size());
  std::iota(partners.begin(), partners.end(), 0);
  for (Index group = 0; group < pairs.graph.num_vertices(); ++group) {
    const auto members = pairs.groups.of(group);
    if (members.size() != 2) continue;
    const Index first = interior.variables[members[0]];
    const Index second = interior.variables[members[1]];
    partners[first] = second;
    partners[second] = first;
  }
  return partners;
}

/// The graph of the whole matrix in the order that the interior has, the kept variables behind it. Variables that are
/// indistinguishable within the interior need not reach the same kept ones, and are not groups here.
OrderedGraph extend(const OrderedGraph& inner, const Graph& graph, bool has_pairs, const Interior& interior,
                    std::span<const Index> schur_variables) {
  std::vector<Index> perm;
  perm.reserve(interior.places.size());
  for (const Index place : inner.compressed.expand(inner.elimination.perm)) perm.push_back(interior.variables[place]);
  perm.insert(perm.end(), schur_variables.begin(), schur_variables.end());
  OrderedGraph ordered;
  ordered.kind = inner.kind;
  ordered.ordering_seconds = inner.ordering_seconds;
  ordered.compressed = has_pairs ? gather_pairs(graph, lift_pairs(inner.compressed, interior)) : without_compression(graph);
  ordered.elimination =
      eliminate(ordered.compressed.graph, ordered.compressed.collapse(perm), static_cast<Index>(schur_variables.size()));
  if (has_pairs) count_exactly(ordered, graph);
  return ordered;
}

}  // namespace

PivotOrder order_before_schur(const PatternView& pattern, const PivotMagnitudes& magnitudes, const AnalysisOptions& options) {
  const Interior interior = find_interior(pattern.num_cols, options.schur_variables);
  AnalysisOptions inner_options = options;
  inner_options.schur_variables.clear();
  inner_options.ordering = ordering_of_interior(options.ordering, interior);
  const InteriorBlock block(pattern, magnitudes.get(), interior);
  const PivotOrder inner = order_for_pivots(block.pattern(pattern.symmetry), block.magnitudes, inner_options);

  PivotOrder order;
  order.matching = inner.matching;
  order.row_of_column = lift_matching(inner.row_of_column, interior);
  PatternView matched = pattern;
  const LargeVector<Index> rows = renumbered_rows(pattern, order.row_of_column);
  if (!rows.empty()) matched.row_indices = rows;
  order.ordered =
      extend(inner.ordered, adjacency_graph(matched), inner.matching == MatchingKind::pairs, interior, options.schur_variables);
  return order;
}

}  // namespace frond
