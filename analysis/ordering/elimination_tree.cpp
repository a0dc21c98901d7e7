// SPDX-License-Identifier: BSD-3-Clause
// Liu's algorithm for the elimination tree.
#include "analysis/ordering/elimination_tree.hpp"

#include "analysis/graph/forest.hpp"

namespace frond {

std::vector<Index> elimination_tree(const Graph& graph, const Permutation& order) {
  const Index num_vertices = graph.num_vertices();
  std::vector<Index> parent(num_vertices, kNoParent);
  std::vector<Index> ancestor(num_vertices, kNoParent);  // a shortcut towards the root of the subtree built so far
  for (Index row = 0; row < num_vertices; ++row) {
    for (const Index neighbor : graph.neighbors_of(order.perm[row])) {
      Index vertex = order.inverse_perm[neighbor];
      if (vertex >= row) continue;
      while (ancestor[vertex] != kNoParent && ancestor[vertex] != row) {
        const Index next = ancestor[vertex];
        ancestor[vertex] = row;
        vertex = next;
      }
      if (ancestor[vertex] == kNoParent) {
        ancestor[vertex] = row;
        parent[vertex] = row;
      }
    }
  }
  return parent;
}

}  // namespace frond
