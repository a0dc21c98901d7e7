// SPDX-License-Identifier: BSD-3-Clause
// Formats facts about a mapping.
#include "tools/program/records/mapping_record.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "matrices/counted.hpp"
#include "solver/options/byte_size.hpp"
#include "tools/program/records/json_list.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

template <class Format>
void print_spread(std::FILE* stream, const char* what, const RankSpread& spread, Format format) {
  fmt::print(stream, "  {:<13}{:>12} {:>12} {:>12} {:>10.2f}\n", what, format(spread.least), format(spread.mean),
             format(spread.largest), spread.imbalance());
}

}  // namespace

MappingFacts mapping_facts(const Symbolic& symbolic, Method method, Count scalar_bytes, const MappingOptions& options,
                           KeptFactors kept) {
  const Mapping mapping = map_tree(symbolic.tree(), method, options);
  MappingFacts facts;
  facts.num_ranks = options.num_ranks;
  facts.num_subtrees = static_cast<Index>(mapping.subtrees().size());
  facts.num_type1 = mapping.num_nodes_of(NodeType::sequential);
  facts.num_type2 = mapping.num_nodes_of(NodeType::row_distributed);
  facts.num_type3 = mapping.num_nodes_of(NodeType::grid_distributed);
  facts.grid = mapping.root_grid().shape;
  facts.estimate = estimate_mapping(symbolic.tree(), mapping, method, scalar_bytes, kept);
  return facts;
}

void print_mapping(std::FILE* stream, const MappingFacts& mapping) {
  fmt::print(stream, "mapping        {}, {}; nodes of type 1: {}, type 2: {}, type 3: {}", counted(mapping.num_ranks, "rank"),
             counted(mapping.num_subtrees, "leaf subtree"), mapping.num_type1, mapping.num_type2, mapping.num_type3);
  if (mapping.num_type3 > 0) fmt::print(stream, " on a grid of {} x {} ranks", mapping.grid.num_rows, mapping.grid.num_cols);
  fmt::print(stream, "\n");
  fmt::print(stream, "each rank      {:>12} {:>12} {:>12} {:>10}\n", "least", "mean", "largest", "imbalance");
  const auto bytes = [](double value) { return format_byte_size(static_cast<Count>(value)); };
  print_spread(stream, "flops", mapping.estimate.flops, [](double value) { return fmt::format("{:.2e}", value); });
  print_spread(stream, "factors", mapping.estimate.factor_bytes, bytes);
  print_spread(stream, "active peak", mapping.estimate.peak_active_bytes, bytes);
}

Json mapping_json(const MappingFacts& mapping) {
  return {{"ranks", mapping.num_ranks},
          {"subtrees", mapping.num_subtrees},
          {"nodes_type1", mapping.num_type1},
          {"nodes_type2", mapping.num_type2},
          {"nodes_type3", mapping.num_type3},
          {"grid_rows", mapping.grid.num_rows},
          {"grid_cols", mapping.grid.num_cols},
          {"predicted_flops_per_rank", json_list(mapping.estimate.ranks, &RankEstimate::flops)},
          {"predicted_factor_bytes_per_rank", json_list(mapping.estimate.ranks, &RankEstimate::factor_bytes)},
          {"predicted_active_bytes_per_rank", json_list(mapping.estimate.ranks, &RankEstimate::peak_active_bytes)}};
}

}  // namespace frond
