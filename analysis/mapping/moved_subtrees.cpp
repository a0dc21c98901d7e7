// SPDX-License-Identifier: BSD-3-Clause
// Splits leaf subtrees in which something has moved.
#include "analysis/mapping/moved_subtrees.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace frond {

Mapping with_moved(const AssemblyTree& tree, const Mapping& mapping, const std::vector<Subtree>& moved) {
  const auto num_nodes = static_cast<std::size_t>(mapping.num_nodes());
  std::vector<Rank> rank(num_nodes);
  std::vector<char> has_moved(num_nodes, 0);
  std::vector<char> is_upper(num_nodes, 0);
  for (NodeId node = 0; node < mapping.num_nodes(); ++node) {
    const auto index = static_cast<std::size_t>(node);
    rank[index] = mapping.master(node);
    is_upper[index] = mapping.is_in_subtree(node) ? 0 : 1;
  }
  for (const Subtree& subtree : moved) {
    for (NodeId node = subtree.node_begin; node < subtree.node_end; ++node) {
      rank[node] = subtree.rank;
      has_moved[node] = 1;
    }
  }
  // Children come before their parents.
  for (NodeId node = 0; node < mapping.num_nodes(); ++node) {
    const NodeId parent = tree.parent(node);
    const auto index = static_cast<std::size_t>(node);
    if (parent != kNoParent && has_moved[parent] == 0 && (has_moved[index] != 0 || is_upper[index] != 0)) {
      is_upper[parent] = 1;
    }
  }
  MappingParts parts = mapping.parts();
  parts.subtrees.clear();
  parts.upper_nodes.clear();
  for (NodeId node = 0; node < mapping.num_nodes(); ++node) {
    const auto index = static_cast<std::size_t>(node);
    const NodeId parent = tree.parent(node);
    if (is_upper[index] != 0) {
      parts.upper_nodes.push_back(mapping.is_in_subtree(node)
                                      ? UpperNode{node, NodeType::sequential, rank[index], {rank[index], rank[index] + 1}}
                                      : mapping.upper_node(node));
    } else if (parent == kNoParent || is_upper[parent] != 0) {
      parts.subtrees.push_back({tree.subtree_begin(node), node + 1, rank[index]});
    }
  }
  return Mapping(std::move(parts));
}

std::vector<Subtree> moved_subtrees(const std::vector<std::vector<NodeId>>& taken) {
  std::vector<Subtree> moved;
  for (std::size_t rank = 0; rank < taken.size(); ++rank) {
    for (std::size_t k = 0; k + 1 < taken[rank].size(); k += 2) {
      moved.push_back({taken[rank][k], taken[rank][k + 1], static_cast<Rank>(rank)});
    }
  }
  return moved;
}

}  // namespace frond
