// SPDX-License-Identifier: BSD-3-Clause
// Fundamental supernodes from the elimination tree and the column counts.
#include "analysis/tree/supernodes.hpp"

#include "analysis/graph/forest.hpp"

namespace frond {
namespace {

std::vector<Index> count_children(const std::vector<Index>& parent) {
  std::vector<Index> num_children(parent.size(), 0);
  for (const Index p : parent) {
    if (p != kNoParent) ++num_children[p];
  }
  return num_children;
}

}  // namespace

SupernodeTree fundamental_supernodes(const Elimination& elimination) {
  const Index num_vertices = elimination.graph.num_vertices();
  const std::vector<Index> num_children = count_children(elimination.parent);
  const std::vector<Index>& weights = elimination.graph.weights;

  SupernodeTree tree;
  std::vector<Index> supernode_of(num_vertices);
  for (Index vertex = 0; vertex < num_vertices; ++vertex) {
    const bool continues = vertex > 0 && vertex != num_vertices - elimination.num_kept &&
                           elimination.parent[vertex - 1] == vertex && num_children[vertex] == 1 &&
                           elimination.counts[vertex - 1] - weights[vertex - 1] == elimination.counts[vertex];
    if (!continues) {
      tree.vertex_offsets.push_back(vertex);
      tree.num_fully_summed.push_back(0);
      tree.cb_order.push_back(0);
    }
    supernode_of[vertex] = static_cast<Index>(tree.vertex_offsets.size()) - 1;
    tree.num_fully_summed.back() += weights[vertex];
    tree.cb_order.back() = elimination.counts[vertex] - weights[vertex];
  }
  tree.vertex_offsets.push_back(num_vertices);
  tree.keeps_last = elimination.num_kept > 0;

  tree.parent.resize(tree.cb_order.size());
  for (Index supernode = 0; supernode < tree.num_supernodes(); ++supernode) {
    const Index next_vertex = elimination.parent[tree.vertex_offsets[supernode + 1] - 1];
    tree.parent[supernode] = next_vertex == kNoParent ? kNoParent : supernode_of[next_vertex];
  }
  return tree;
}

}  // namespace frond
