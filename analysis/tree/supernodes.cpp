// SPDX-License-Identifier: BSD-3-Clause
// Finds fundamental supernodes from the elimination tree and the column counts.
#include "analysis/tree/supernodes.hpp"

#include <bit>
#include <cstdint>

#include "analysis/graph/forest.hpp"
#include "matrices/mixed_bits.hpp"

namespace frond {
namespace {

std::vector<Index> count_children(const std::vector<Index>& parent) {
  std::vector<Index> num_children(parent.size(), 0);
  for (const Index p : parent) {
    if (p != kNoParent) ++num_children[p];
  }
  return num_children;
}

/// Finds leaves below one parent that have the same rows, such as variables that are coupled with the same few others.
class TwinSearch {
 public:
  TwinSearch(const Graph& graph, const SupernodeTree& tree)
      : graph_(graph),
        tree_(tree),
        latest_(std::bit_ceil(tree.parent.size() + 1), kNoTwin),
        stamp_(tree.vertex_offsets.back(), -1) {}

  [[nodiscard]] std::vector<Index> run() {
    std::vector<Index> next(tree_.parent.size(), kNoTwin);
    const std::vector<Index> num_children = count_children(tree_.parent);
    for (Index leaf = 0; leaf < tree_.num_supernodes(); ++leaf) {
      if (num_children[leaf] > 0 || tree_.parent[leaf] == kNoParent) continue;
      Index& latest = latest_[place_of(leaf)];
      if (latest != kNoTwin && are_twins(latest, leaf)) next[latest] = leaf;
      latest = leaf;
    }
    return next;
  }

 private:
  // A leaf's first vertex has all its rows, since nothing is eliminated before it.
  template <class Visit>
  void for_each_row(Index leaf, const Visit& visit) const {
    for (const Index row : graph_.neighbors_of(tree_.vertex_offsets[leaf])) {
      if (row >= tree_.vertex_offsets[leaf + 1]) visit(row);
    }
  }

  [[nodiscard]] std::size_t place_of(Index leaf) const {
    std::uint64_t sum = 0;
    for_each_row(leaf, [&](Index row) { sum += mixed_bits(static_cast<std::uint64_t>(row)); });
    return static_cast<std::size_t>(mixed_bits(sum)) & (latest_.size() - 1);
  }

  [[nodiscard]] bool are_twins(Index first, Index second) {
    if (tree_.parent[first] != tree_.parent[second] || tree_.cb_order[first] != tree_.cb_order[second]) return false;
    for_each_row(first, [&](Index row) { stamp_[row] = second; });
    bool are_equal = true;
    for_each_row(second, [&](Index row) { are_equal = are_equal && stamp_[row] == second; });
    return are_equal;
  }

  const Graph& graph_;
  const SupernodeTree& tree_;
  std::vector<Index> latest_;  // leaf of a place in the table
  std::vector<Index> stamp_;   // [row] = the leaf it was last compared with
};

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
  tree.next_twin = TwinSearch(elimination.graph, tree).run();
  return tree;
}

}  // namespace frond
