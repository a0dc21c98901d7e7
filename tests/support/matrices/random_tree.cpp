// SPDX-License-Identifier: BSD-3-Clause
// Draws parents first, then rows from the roots down.
#include "tests/support/matrices/random_tree.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "analysis/graph/forest.hpp"

namespace frond::test {
namespace {

// parent[v] > v, numbered in postorder; chains and bushes mixed.
std::vector<NodeId> random_parents(Index num_nodes, std::mt19937& random) {
  std::vector<NodeId> parent(static_cast<std::size_t>(num_nodes), kNoParent);
  const Index reach = std::uniform_int_distribution<Index>(1, 30)(random);
  for (NodeId node = 0; node + 1 < num_nodes; ++node) {
    if (!std::bernoulli_distribution(0.02)(random)) {
      parent[node] = std::uniform_int_distribution<NodeId>(node + 1, std::min(num_nodes - 1, node + reach))(random);
    }
  }
  const std::vector<Index> order = postorder(make_forest(parent));
  std::vector<NodeId> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    position[order[k]] = static_cast<NodeId>(k);
  }
  std::vector<NodeId> numbered(parent.size());
  for (std::size_t node = 0; node < parent.size(); ++node) {
    numbered[position[node]] = parent[node] == kNoParent ? kNoParent : position[parent[node]];
  }
  return numbered;
}

}  // namespace

AssemblyTree random_tree(Index num_nodes, Index max_summed, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  const std::vector<NodeId> parent = random_parents(num_nodes, random);
  std::vector<Index> variable_offsets = {0};
  for (NodeId node = 0; node < num_nodes; ++node) {
    variable_offsets.push_back(variable_offsets.back() + std::uniform_int_distribution<Index>(1, max_summed)(random));
  }
  std::vector<std::vector<Index>> rows(parent.size());  // of contribution blocks
  for (NodeId node = num_nodes - 1; node >= 0; --node) {
    const auto index = static_cast<std::size_t>(node);
    if (parent[index] == kNoParent) {
      continue;
    }
    const auto above = static_cast<std::size_t>(parent[index]);
    std::vector<Index> front(static_cast<std::size_t>(variable_offsets[above + 1] - variable_offsets[above]));
    std::iota(front.begin(), front.end(), variable_offsets[above]);
    front.insert(front.end(), rows[above].begin(), rows[above].end());
    const double part = std::uniform_real_distribution<double>(0.1, 1)(random);
    rows[index].push_back(front.front());
    for (std::size_t k = 1; k < front.size(); ++k) {
      if (std::bernoulli_distribution(part)(random)) {
        rows[index].push_back(front[k]);
      }
    }
  }
  std::vector<Count> cb_offsets = {0};
  std::vector<Index> cb_rows;
  for (const std::vector<Index>& of_node : rows) {
    cb_rows.insert(cb_rows.end(), of_node.begin(), of_node.end());
    cb_offsets.push_back(static_cast<Count>(cb_rows.size()));
  }
  return AssemblyTree(parent, std::move(variable_offsets), std::move(cb_offsets), std::move(cb_rows));
}

}  // namespace frond::test
