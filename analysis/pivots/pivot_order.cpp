// SPDX-License-Identifier: BSD-3-Clause
// Chooses between the order by the pattern and one with a matching.
#include "analysis/pivots/pivot_order.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "analysis/pivots/level_order.hpp"
#include "analysis/pivots/pivot_pairs.hpp"
#include "analysis/pivots/predicted_delays.hpp"
#include "analysis/pivots/schur_order.hpp"
#include "analysis/pivots/weighted_matching.hpp"
#include "analysis/tree/amalgamate.hpp"
#include "analysis/tree/supernodes.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"

namespace frond {
namespace {

// Another ordering is worth trying if delays make the factorization this many times as expensive. Pairs have 1 to 9 times the flops
// of the order by the pattern in problems of optimization and of flow; matched rows can have as little as a hundredth.
constexpr double kDearDelaysForPairs = 3;
constexpr double kDearDelaysForRows = 1.5;

// The cost of another ordering, and the flop rate on the fronts of problems that have such diagonals.
constexpr double kOrderingSecondsPerVariable = 1e-6;
constexpr double kFactorizationFlopsPerSecond = 10e9;

// The allowed cost of a matching, at about 10 ns per visit of an entry: a fixed time for each entry, and a quarter of the
// factorization without one.
constexpr Count kFreeLooks = 100000;
constexpr Count kLooksPerEntry = 6;
constexpr double kFlopsPerLook = 400;

// Finds the diagonal entries that a threshold refuses as pivots: below this fraction of the largest one in row and column.
std::vector<bool> find_weak_diagonals(const MatrixView<double>& matrix, double threshold = kUsualThreshold) {
  const PatternView& pattern = matrix.pattern;
  std::vector<double> diagonal(pattern.num_cols, 0.0);
  std::vector<double> largest(pattern.num_cols, 0.0);
  for (Index column = 0; column < pattern.num_cols; ++column) {
    for (Count entry = pattern.column_offsets[column]; entry < pattern.column_offsets[column + 1]; ++entry) {
      const Index row = pattern.row_indices[entry];
      const double magnitude = matrix.values[entry];
      if (row == column) diagonal[row] = magnitude;
      largest[row] = std::max(largest[row], magnitude);
      largest[column] = std::max(largest[column], magnitude);
    }
  }
  std::vector<bool> is_weak(pattern.num_cols);
  for (Index k = 0; k < pattern.num_cols; ++k) is_weak[k] = diagonal[k] == 0 || diagonal[k] < threshold * largest[k];
  return is_weak;
}

bool has_any(const std::vector<bool>& marks) { return std::find(marks.begin(), marks.end(), true) != marks.end(); }

struct PredictedFlops {
  double by_pattern = 0;
  double with_delays = 0;
};

PredictedFlops predict_flops(const Graph& graph, const OrderedGraph& ordered, const std::vector<bool>& is_weak, Symmetry symmetry,
                             const AnalysisOptions& options) {
  const SupernodeTree supernodes = fundamental_supernodes(ordered.elimination);
  const FrontTree fronts = amalgamate(supernodes, symmetry, {.enabled = options.amalgamate});
  const Method method = symmetry == Symmetry::general ? Method::lu : Method::ldlt;
  const std::vector<Index> delays = predict_delays(graph, ordered, supernodes, fronts, is_weak);
  return {flops_with_delays(fronts, std::vector<Index>(delays.size(), 0), method), flops_with_delays(fronts, delays, method)};
}

bool are_delays_dear(const PredictedFlops& flops, const PatternView& pattern, const OrderingOptions& options) {
  const double ratio = pattern.symmetry == Symmetry::general ? kDearDelaysForRows : kDearDelaysForPairs;
  const double seconds = options.expected_factorizations * (flops.with_delays - flops.by_pattern) / kFactorizationFlopsPerSecond;
  return flops.with_delays > ratio * flops.by_pattern && seconds > kOrderingSecondsPerVariable * pattern.num_cols;
}

bool may_match(const PivotMagnitudes& magnitudes, const AnalysisOptions& options) {
  const OrderingOptions& ordering = options.ordering;
  return magnitudes.are_expected() && options.method != Method::cholesky && ordering.matching != Use::never &&
         ordering.kind != OrderingKind::natural && ordering.kind != OrderingKind::given;
}

/// An order, and its predicted cost.
struct Candidate {
  PivotOrder order;
  PredictedFlops flops;
};

Count most_looks_of(const PatternView& pattern, const PredictedFlops& flops) {
  constexpr double kMost = 1e18;
  return std::max(
      {kFreeLooks, kLooksPerEntry * pattern.num_entries(), static_cast<Count>(std::min(kMost, flops.with_delays / kFlopsPerLook))});
}

Candidate order_pairs(const MatrixView<double>& matrix, const Graph& graph, const std::vector<bool>& is_weak, Count most_looks,
                      const AnalysisOptions& options) {
  const std::vector<Index> partners = pivot_partners(expand_to_general(matrix).view(), most_looks);
  Candidate candidate{{order_graph(graph, options.ordering, partners), MatchingKind::pairs, {}}, {}};
  candidate.flops = predict_flops(graph, candidate.order.ordered, is_weak, matrix.pattern.symmetry, options);
  return candidate;
}

Candidate order_matched_rows(const MatrixView<double>& matrix, Count most_looks, const AnalysisOptions& options) {
  std::vector<Index> row_of_column = nearly_largest_product_matching(matrix, most_looks).row_of_column;
  const LargeVector<Index> rows = renumbered_rows(matrix.pattern, row_of_column);
  MatrixView<double> matched = matrix;
  matched.pattern.row_indices = rows;
  const Graph graph = adjacency_graph(matched.pattern);
  Candidate candidate{{order_graph(graph, options.ordering), MatchingKind::rows, std::move(row_of_column)}, {}};
  candidate.flops = predict_flops(graph, candidate.order.ordered, find_weak_diagonals(matched), matrix.pattern.symmetry, options);
  return candidate;
}

Candidate order_with_matching(const MatrixView<double>& matrix, const Graph& graph, const std::vector<bool>& is_weak,
                              Count most_looks, const AnalysisOptions& options) {
  return matrix.pattern.symmetry == Symmetry::general ? order_matched_rows(matrix, most_looks, options)
                                                      : order_pairs(matrix, graph, is_weak, most_looks, options);
}

// Whether delays, which are expensive with the usual threshold, are so with the lowest one, too. LU chooses its pivots within
// columns, whatever the diagonal is.
bool are_delays_dear_at_lowest(const MatrixView<double>& matrix, const Graph& graph, const OrderedGraph& ordered,
                               const std::vector<bool>& is_weak, double lowest_threshold, const AnalysisOptions& options) {
  const PatternView& pattern = matrix.pattern;
  if (pattern.symmetry == Symmetry::general) return true;
  const std::vector<bool> is_refused = find_weak_diagonals(matrix, lowest_threshold);
  return is_refused == is_weak ||
         are_delays_dear(predict_flops(graph, ordered, is_refused, pattern.symmetry, options), pattern, options.ordering);
}

PivotOrder order_given(const PatternView& pattern, const AnalysisOptions& options) {
  const std::vector<Index>& row_of_column = options.ordering.row_of_column;
  if (!row_of_column.empty()) {
    check_permutation(row_of_column, pattern.num_cols, "the given matching of rows and columns");
    if (pattern.symmetry != Symmetry::general) {
      throw UsageError(
          "the given ordering matches rows with columns, which LU alone can do, but one triangle of the matrix is held; give an "
          "ordering of variables, or ask for the method lu");
    }
  }
  PatternView matched = pattern;
  const LargeVector<Index> rows = renumbered_rows(pattern, row_of_column);
  if (!rows.empty()) matched.row_indices = rows;
  return {order_graph(adjacency_graph(matched), options.ordering), row_of_column.empty() ? MatchingKind::none : MatchingKind::rows,
          row_of_column};
}

}  // namespace

PivotOrder order_for_pivots(const PatternView& pattern, const PivotMagnitudes& magnitudes, const AnalysisOptions& options,
                            std::optional<BlockTriangularForm> blocks) {
  if (!options.schur_variables.empty()) return order_before_schur(pattern, magnitudes, options);
  if (may_be_block_triangular(pattern, options)) {
    return order_by_levels(pattern, magnitudes, options, blocks ? std::move(*blocks) : find_blocks(pattern, options));
  }
  if (options.ordering.kind == OrderingKind::given) return order_given(pattern, options);
  const Graph graph = adjacency_graph(pattern);
  const auto order_by_pattern = [&] { return PivotOrder{order_graph(graph, options.ordering), MatchingKind::none, {}}; };
  if (!may_match(magnitudes, options)) return order_by_pattern();
  if (options.ordering.matching == Use::always) {
    const MatrixView<double> matrix{pattern, magnitudes.get()};
    const std::vector<bool> is_weak = find_weak_diagonals(matrix);
    return has_any(is_weak) ? order_with_matching(matrix, graph, is_weak, std::numeric_limits<Count>::max(), options).order
                            : order_by_pattern();
  }
  PivotOrder by_pattern = order_by_pattern();  // while magnitudes are in transit
  const MatrixView<double> matrix{pattern, magnitudes.get()};
  const std::vector<bool> is_weak = find_weak_diagonals(matrix);
  if (!has_any(is_weak)) return by_pattern;
  const PredictedFlops flops = predict_flops(graph, by_pattern.ordered, is_weak, pattern.symmetry, options);
  if (!are_delays_dear(flops, pattern, options.ordering)) return by_pattern;
  by_pattern.has_dear_delays =
      !are_delays_dear_at_lowest(matrix, graph, by_pattern.ordered, is_weak, magnitudes.lowest_threshold(), options);
  if (by_pattern.has_dear_delays) return by_pattern;
  Candidate matched = order_with_matching(matrix, graph, is_weak, most_looks_of(pattern, flops), options);
  PivotOrder& best = matched.flops.with_delays < flops.with_delays ? matched.order : by_pattern;
  best.ordered.ordering_seconds = matched.order.ordered.ordering_seconds + by_pattern.ordered.ordering_seconds;
  return std::move(best);
}

LargeVector<Index> renumbered_rows(const PatternView& pattern, std::span<const Index> row_of_column) {
  LargeVector<Index> rows;
  if (!row_of_column.empty()) {
    const std::vector<Index> column_of_row = invert(row_of_column);
    rows.resize(pattern.row_indices.size());
    std::transform(pattern.row_indices.begin(), pattern.row_indices.end(), rows.begin(),
                   [&](Index row) { return column_of_row[row]; });
  }
  return rows;
}

VariableOrder order_variables(const PatternView& pattern, const PivotMagnitudes& magnitudes, const AnalysisOptions& options,
                              std::optional<BlockTriangularForm> blocks) {
  check_pattern(pattern);
  PivotOrder order = order_for_pivots(pattern, magnitudes, options, std::move(blocks));
  const OrderedGraph& ordered = order.ordered;
  return {ordered.kind,
          order.matching,
          ordered.compressed.expand(ordered.elimination.perm),
          std::move(order.row_of_column),
          order.has_dear_delays,
          ordered.compressed.graph.num_vertices(),
          ordered.ordering_seconds,
          order.blocks.splits(),
          order.blocks.num_blocks,
          order.blocks.largest_block};
}

}  // namespace frond
