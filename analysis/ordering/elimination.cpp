// SPDX-License-Identifier: BSD-3-Clause
// Derives a postordered elimination tree with column counts from an ordering.
#include "analysis/ordering/elimination.hpp"

#include "analysis/graph/forest.hpp"
#include "analysis/ordering/column_counts.hpp"
#include "analysis/ordering/elimination_tree.hpp"

namespace frond {
namespace {

/// The tree's parent array after its nodes were renumbered.
std::vector<Index> renumber_parents(const std::vector<Index>& parent, const Permutation& order) {
  std::vector<Index> result(parent.size());
  for (std::size_t node = 0; node < parent.size(); ++node) {
    const Index old_parent = parent[order.perm[node]];
    result[node] = old_parent == kNoParent ? kNoParent : order.inverse_perm[old_parent];
  }
  return result;
}

/// Makes the vertices from `first_kept` on one path, and its first vertex the parent of all vertices that reach any of them. Every
/// neighbour that precedes a vertex is still below it, which is all that the row subtrees of column counts need.
void chain_kept(std::vector<Index>& parent, Index first_kept) {
  const Index num_vertices = static_cast<Index>(parent.size());
  for (Index vertex = 0; vertex < first_kept; ++vertex) {
    if (parent[vertex] >= first_kept) parent[vertex] = first_kept;
  }
  for (Index vertex = first_kept; vertex < num_vertices; ++vertex) {
    parent[vertex] = vertex + 1 < num_vertices ? vertex + 1 : kNoParent;
  }
}

}  // namespace

double sum_of_counts(double first_count, double num_columns) {
  return num_columns * first_count - num_columns * (num_columns - 1) / 2;
}

double sum_of_squared_counts(double first_count, double num_columns) {
  const auto sum_of_squares_to = [](double last) { return last * (last + 1) * (2 * last + 1) / 6; };
  return sum_of_squares_to(first_count) - sum_of_squares_to(first_count - num_columns);
}

Elimination eliminate(const Graph& graph, std::vector<Index> perm, Index num_kept) {
  Elimination result;
  const Permutation given = make_permutation(std::move(perm));
  const Index num_vertices = graph.num_vertices();
  const Index first_kept = num_vertices - num_kept;
  std::vector<Index> given_parent = elimination_tree(graph, given);
  chain_kept(given_parent, first_kept);
  const Permutation postorder_of_given = make_permutation(postorder(make_forest(given_parent)));
  result.parent = renumber_parents(given_parent, postorder_of_given);

  result.perm.reserve(given.perm.size());
  for (const Index vertex : postorder_of_given.perm) result.perm.push_back(given.perm[vertex]);
  result.graph = renumber(graph, make_permutation(result.perm));
  result.counts = column_counts(result.graph, result.parent);
  result.num_kept = num_kept;
  for (Index vertex = first_kept; vertex < num_vertices; ++vertex) result.counts[vertex] = num_vertices - vertex;
  for (Index vertex = 0; vertex < first_kept; ++vertex) {
    result.sum_counts += sum_of_counts(result.counts[vertex], result.graph.weights[vertex]);
    result.sum_squares += sum_of_squared_counts(result.counts[vertex], result.graph.weights[vertex]);
  }
  return result;
}

}  // namespace frond
