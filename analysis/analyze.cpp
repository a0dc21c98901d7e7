// SPDX-License-Identifier: BSD-3-Clause
// Runs the whole analysis.
#include <chrono>
#include <optional>
#include <utility>

#include "analysis/graph/graph.hpp"
#include "analysis/graph/owned_pattern.hpp"
#include "analysis/mapping/split_fronts.hpp"
#include "analysis/pivots/pivot_order.hpp"
#include "analysis/pivots/structural_rank.hpp"
#include "analysis/symbolic.hpp"
#include "analysis/tree/amalgamate.hpp"
#include "analysis/tree/child_order.hpp"
#include "analysis/tree/front_structure.hpp"
#include "analysis/tree/supernodes.hpp"
#include "matrices/stop_request.hpp"

namespace frond {
namespace {

/// The final order of the variables: place -> vertex of the elimination -> vertex that was ordered -> its variables.
Permutation variable_permutation(const OrderedGraph& ordered, const std::vector<Index>& vertex_perm) {
  std::vector<Index> group_perm;
  group_perm.reserve(vertex_perm.size());
  for (const Index vertex : vertex_perm) group_perm.push_back(ordered.elimination.perm[vertex]);
  return make_permutation(ordered.compressed.expand(group_perm));
}

Method method_of(Symmetry symmetry, const AnalysisOptions& options) {
  return options.method.value_or(symmetry == Symmetry::general ? Method::lu : Method::ldlt);
}

}  // namespace

std::shared_ptr<Symbolic> analyze(const PatternView& stored, const AnalysisOptions& options, const PivotMagnitudes& magnitudes,
                                  std::optional<BlockTriangularForm> blocks) {
  const auto start = std::chrono::steady_clock::now();
  check_pattern(stored);
  PivotOrder order = order_for_pivots(stored, magnitudes, options, std::move(blocks));
  stop_if(options.ordering.observer);
  const SelectedEntries levels = levels_of(stored, order.blocks);
  PatternView pattern = order.blocks.splits() ? levels.pattern() : stored;
  const LargeVector<Index> rows = renumbered_rows(pattern, order.row_of_column);
  if (!rows.empty()) pattern.row_indices = rows;
  const OrderedGraph& ordered = order.ordered;
  const Elimination& elimination = ordered.elimination;
  const SupernodeTree supernodes = fundamental_supernodes(elimination);
  const FrontTree fronts = amalgamate(supernodes, pattern.symmetry, {.enabled = options.amalgamate});
  const Forest forest = liu_order(fronts, pattern.symmetry != Symmetry::general);
  NumberedTree numbered = build_assembly_tree(elimination, supernodes, fronts, forest);
  AssemblyTree tree = split_large_fronts(std::move(numbered.tree), method_of(pattern.symmetry, options), options.mapping);
  Permutation permutation = variable_permutation(ordered, numbered.vertex_perm);
  EntryMap entries = map_entries(pattern, permutation.inverse_perm, tree, levels.sources);
  SelectedEntries couplings = couplings_of(stored, order.blocks);

  OrderingReport report;
  report.kind = ordered.kind;
  report.matching = order.matching;
  report.has_dear_delays = order.has_dear_delays;
  report.num_compressed = ordered.compressed.graph.num_vertices();
  report.ordering_seconds = ordered.ordering_seconds;
  report.analysis_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::make_shared<Symbolic>(std::move(permutation), std::move(order.row_of_column), std::move(tree), std::move(entries),
                                    report, pattern.symmetry, structural_rank(stored).rank, pattern_hash(stored),
                                    elimination.sum_counts, elimination.sum_squares, std::move(order.blocks), std::move(couplings));
}

}  // namespace frond
