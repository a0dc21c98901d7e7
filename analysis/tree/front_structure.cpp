// SPDX-License-Identifier: BSD-3-Clause
// Computes the final numbering and the rows of the contribution blocks.
#include "analysis/tree/front_structure.hpp"

#include "frond/error.hpp"

namespace frond {
namespace {

/// The arrays of the assembly tree while they are filled.
struct TreeArrays {
  std::vector<NodeId> parent;
  std::vector<Index> variable_offsets;
  std::vector<Count> cb_offsets;
  std::vector<Index> cb_rows;
};

/// Sizes and parents of the nodes; node_order[node] = front.
TreeArrays number_nodes(const FrontTree& fronts, const Permutation& node_order) {
  TreeArrays arrays;
  arrays.variable_offsets.push_back(0);
  arrays.cb_offsets.push_back(0);
  for (const Index front : node_order.perm) {
    const Index parent = fronts.parent[front];
    arrays.parent.push_back(parent == kNoParent ? kNoParent : node_order.inverse_perm[parent]);
    arrays.variable_offsets.push_back(arrays.variable_offsets.back() + fronts.num_fully_summed[front]);
    arrays.cb_offsets.push_back(arrays.cb_offsets.back() + fronts.cb_order[front]);
  }
  return arrays;
}

/// Returns node_of[vertex of the elimination].
std::vector<NodeId> assign_vertices(const SupernodeTree& supernodes, const FrontTree& fronts, const Permutation& node_order) {
  std::vector<NodeId> node_of(supernodes.vertex_offsets.back());
  for (Index s = 0; s < supernodes.num_supernodes(); ++s) {
    for (Index vertex = supernodes.vertex_offsets[s]; vertex < supernodes.vertex_offsets[s + 1]; ++vertex) {
      node_of[vertex] = node_order.inverse_perm[fronts.front_of[s]];
    }
  }
  return node_of;
}

/// Row i of L is nonzero in the nodes on the paths from the nodes of its lower-numbered neighbours up to its own (Liu's row
/// subtree). Walking the rows in their final order appends them to each node's list in increasing order.
void compute_cb_rows(const Graph& graph, const std::vector<Index>& vertex_perm, const std::vector<NodeId>& node_of,
                     TreeArrays& arrays) {
  const Index num_nodes = static_cast<Index>(arrays.parent.size());
  arrays.cb_rows.resize(arrays.cb_offsets.back());
  std::vector<Count> end(arrays.cb_offsets.begin(), arrays.cb_offsets.end() - 1);
  std::vector<Index> last_vertex(num_nodes, -1);
  Index variable = 0;
  for (const Index vertex : vertex_perm) {
    last_vertex[node_of[vertex]] = vertex;
    for (const Index neighbor : graph.neighbors_of(vertex)) {
      if (neighbor > vertex) continue;
      for (NodeId node = node_of[neighbor]; last_vertex[node] != vertex; node = arrays.parent[node]) {
        last_vertex[node] = vertex;
        if (end[node] + graph.weights[vertex] > arrays.cb_offsets[node + 1]) {
          throw InternalError("A contribution block has more rows than its column count says.");
        }
        for (Index k = 0; k < graph.weights[vertex]; ++k) arrays.cb_rows[end[node]++] = variable + k;
      }
    }
    variable += graph.weights[vertex];
  }
  for (NodeId node = 0; node < num_nodes; ++node) {
    if (end[node] != arrays.cb_offsets[node + 1])
      throw InternalError("A contribution block has fewer rows than its column count says.");
  }
}

}  // namespace

NumberedTree build_assembly_tree(const Elimination& elimination, const SupernodeTree& supernodes, const FrontTree& fronts,
                                 const Forest& forest) {
  const Permutation node_order = make_permutation(postorder(forest));
  TreeArrays arrays = number_nodes(fronts, node_order);
  const std::vector<NodeId> node_of = assign_vertices(supernodes, fronts, node_order);
  NumberedTree result;
  result.vertex_perm = group_by(node_of, fronts.num_fronts()).members;  // descendants still come before ancestors
  compute_cb_rows(elimination.graph, result.vertex_perm, node_of, arrays);
  result.tree = AssemblyTree(std::move(arrays.parent), std::move(arrays.variable_offsets), std::move(arrays.cb_offsets),
                             std::move(arrays.cb_rows), fronts.keeps_last ? node_order.inverse_perm.back() : kNoNode);
  return result;
}

}  // namespace frond
