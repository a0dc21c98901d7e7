// SPDX-License-Identifier: BSD-3-Clause
// Builds children lists and postorders.
#include "analysis/graph/forest.hpp"

namespace frond {

Forest make_forest(std::span<const Index> parent) {
  const Index num_nodes = static_cast<Index>(parent.size());
  Forest forest = {group_by(parent, num_nodes), {}};
  for (Index node = 0; node < num_nodes; ++node) {
    if (parent[node] == kNoParent) forest.roots.push_back(node);
  }
  return forest;
}

std::vector<Index> postorder(const Forest& forest) {
  const Index num_nodes = forest.num_nodes();
  std::vector<Index> subtree_size(num_nodes, 1);
  for (Index node = 0; node < num_nodes; ++node) {
    for (const Index child : forest.children.of(node)) subtree_size[node] += subtree_size[child];
  }
  std::vector<Index> subtree_begin(num_nodes);
  const auto place = [&](std::span<const Index> siblings, Index begin) {
    for (const Index node : siblings) {
      subtree_begin[node] = begin;
      begin += subtree_size[node];
    }
  };
  std::vector<Index> order(num_nodes);
  place(forest.roots, 0);
  for (Index node = num_nodes - 1; node >= 0; --node) {
    place(forest.children.of(node), subtree_begin[node]);
    order[subtree_begin[node] + subtree_size[node] - 1] = node;
  }
  return order;
}

}  // namespace frond
