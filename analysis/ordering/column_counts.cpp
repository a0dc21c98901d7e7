// SPDX-License-Identifier: BSD-3-Clause
// The algorithm of Gilbert, Ng and Peyton on a postordered graph.
//
// Row i of L is a subtree of the elimination tree (Liu's row subtree) with root i. Its leaves are found among the neighbours of i
// in postorder; +1 at every leaf, -1 at the lowest common ancestor of consecutive leaves and -1 at the parent of i sum to 1 exactly
// over the subtrees of its vertices. So the sums over all rows, accumulated up the tree, are the column counts.
#include "analysis/ordering/column_counts.hpp"

#include <numeric>

#include "analysis/graph/forest.hpp"

namespace frond {
namespace {

constexpr Index kNone = -1;

/// The lowest vertex of each subtree; a subtree is a range of the postorder that ends with its root.
std::vector<Index> first_descendants(std::span<const Index> parent) {
  std::vector<Index> first(parent.size());
  std::iota(first.begin(), first.end(), 0);
  for (std::size_t vertex = 0; vertex < parent.size(); ++vertex) {
    if (parent[vertex] != kNoParent && first[vertex] < first[parent[vertex]]) first[parent[vertex]] = first[vertex];
  }
  return first;
}

/// The root of the tree of processed vertices that holds `vertex`, with path halving.
Index find_root(std::vector<Index>& ancestor, Index vertex) {
  while (ancestor[vertex] != vertex) {
    ancestor[vertex] = ancestor[ancestor[vertex]];
    vertex = ancestor[vertex];
  }
  return vertex;
}

}  // namespace

std::vector<Index> column_counts(const Graph& graph, std::span<const Index> parent) {
  const Index num_vertices = graph.num_vertices();
  const std::vector<Index> first = first_descendants(parent);
  std::vector<Index> last_first(num_vertices, kNone);  // of row i: first descendant of its last leaf
  std::vector<Index> last_leaf(num_vertices, kNone);   // of row i
  std::vector<Index> ancestor(num_vertices);
  std::iota(ancestor.begin(), ancestor.end(), 0);
  std::vector<Count> sums(num_vertices, 0);

  for (Index vertex = 0; vertex < num_vertices; ++vertex) {
    if (first[vertex] == vertex) sums[vertex] += graph.weights[vertex];
    for (const Index row : graph.neighbors_of(vertex)) {
      if (row < vertex || first[vertex] <= last_first[row]) continue;
      sums[vertex] += graph.weights[row];
      if (last_leaf[row] != kNone) sums[find_root(ancestor, last_leaf[row])] -= graph.weights[row];
      last_first[row] = first[vertex];
      last_leaf[row] = vertex;
    }
    if (parent[vertex] != kNoParent) {
      sums[parent[vertex]] -= graph.weights[vertex];
      ancestor[vertex] = parent[vertex];
    }
  }
  for (Index vertex = 0; vertex < num_vertices; ++vertex) {
    if (parent[vertex] != kNoParent) sums[parent[vertex]] += sums[vertex];
  }
  return {sums.begin(), sums.end()};
}

}  // namespace frond
