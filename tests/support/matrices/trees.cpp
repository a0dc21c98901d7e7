// SPDX-License-Identifier: BSD-3-Clause
// Builds the trees of the mapping tests.
#include "tests/support/matrices/trees.hpp"

#include <numeric>
#include <utility>

#include "analysis/symbolic.hpp"
#include "tests/support/matrices/patterns.hpp"
#include "tests/support/matrices/random_tree.hpp"

namespace frond::test {

AssemblyTree full_tree(const std::vector<NodeId>& parent, const std::vector<Index>& num_fully_summed, NodeId schur_node) {
  std::vector<Index> variable_offsets = {0};
  for (const Index count : num_fully_summed) variable_offsets.push_back(variable_offsets.back() + count);
  std::vector<Count> cb_offsets = {0};
  std::vector<Index> cb_rows;
  for (NodeId node : parent) {
    for (; node != kNoParent; node = parent[node]) {
      for (Index variable = variable_offsets[node]; variable < variable_offsets[node + 1]; ++variable) cb_rows.push_back(variable);
    }
    cb_offsets.push_back(static_cast<Count>(cb_rows.size()));
  }
  return {parent, std::move(variable_offsets), std::move(cb_offsets), std::move(cb_rows), schur_node};
}

AssemblyTree star(Index num_leaves, Index num_fully_summed) {
  std::vector<NodeId> parent(num_leaves, num_leaves);
  parent.push_back(kNoParent);
  return full_tree(parent, std::vector<Index>(parent.size(), num_fully_summed));
}

AssemblyTree chain(Index num_nodes) {
  std::vector<NodeId> parent(num_nodes);
  std::iota(parent.begin(), parent.end(), 1);
  parent.back() = kNoParent;
  std::vector<Index> variable_offsets(static_cast<std::size_t>(num_nodes) + 1);
  std::vector<Count> cb_offsets = {0};
  std::vector<Index> cb_rows;
  for (NodeId node = 0; node < num_nodes; ++node) {
    variable_offsets[node + 1] = 2 * (node + 1);
    if (node + 1 < num_nodes) cb_rows.insert(cb_rows.end(), {2 * node + 2, 2 * node + 3});
    cb_offsets.push_back(static_cast<Count>(cb_rows.size()));
  }
  return {std::move(parent), std::move(variable_offsets), std::move(cb_offsets), std::move(cb_rows)};
}

MappingOptions small_fronts(Rank num_ranks) {
  MappingOptions options;
  options.num_ranks = num_ranks;
  options.upper_node_seconds = 1e-8;
  options.min_slave_rows = 2;
  options.min_front_flops = 50;
  options.grid_order_per_side = 4;
  options.min_split_pivots = 2;
  options.entry_transfer_seconds = 1e-12;
  return options;
}

std::vector<AssemblyTree> sample_of_trees() {
  std::vector<AssemblyTree> trees = {AssemblyTree(), full_tree({kNoParent}, {1}), full_tree({kNoParent, kNoParent}, {40, 60}),
                                     star(9, 30), chain(50)};
  for (std::uint64_t seed = 0; seed < 12; ++seed) trees.push_back(random_tree(60, seed % 2 == 0 ? 10 : 120, seed));
  for (const Pattern& pattern : {grid_pattern(40, 40, 1), grid_pattern(12, 12, 12), grid_pattern(5, 5, 5, 3)}) {
    trees.push_back(analyze(pattern.view())->tree());
  }
  return trees;
}

}  // namespace frond::test
