// SPDX-License-Identifier: BSD-3-Clause
// From an ordering to a postordered elimination tree with column counts.
#include "analysis/elimination.hpp"

#include "analysis/column_counts.hpp"
#include "analysis/elimination_tree.hpp"
#include "analysis/forest.hpp"

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

}  // namespace

double sum_of_counts(double first_count, double num_columns) {
  return num_columns * first_count - num_columns * (num_columns - 1) / 2;
}

double sum_of_squared_counts(double first_count, double num_columns) {
  const auto sum_of_squares_to = [](double last) { return last * (last + 1) * (2 * last + 1) / 6; };
  return sum_of_squares_to(first_count) - sum_of_squares_to(first_count - num_columns);
}

Elimination eliminate(const Graph& graph, std::vector<Index> perm) {
  Elimination result;
  const Permutation given = make_permutation(std::move(perm));
  const std::vector<Index> given_parent = elimination_tree(graph, given);
  const Permutation postorder_of_given = make_permutation(postorder(make_forest(given_parent)));
  result.parent = renumber_parents(given_parent, postorder_of_given);

  result.perm.reserve(given.perm.size());
  for (const Index vertex : postorder_of_given.perm) result.perm.push_back(given.perm[vertex]);
  result.graph = renumber(graph, make_permutation(result.perm));
  result.counts = column_counts(result.graph, result.parent);
  for (std::size_t vertex = 0; vertex < result.counts.size(); ++vertex) {
    result.sum_counts += sum_of_counts(result.counts[vertex], result.graph.weights[vertex]);
    result.sum_squares += sum_of_squared_counts(result.counts[vertex], result.graph.weights[vertex]);
  }
  return result;
}

}  // namespace frond
