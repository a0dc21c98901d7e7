// SPDX-License-Identifier: BSD-3-Clause
// Closed forms of the costs of fronts. With k the number of columns eliminated before, c = order - k:
//   symmetric: the row at position i > k is divided once and updated up to its diagonal, 1 + 2 (i - k) flops; the pivot is one
//   flop; LU:        every row below the pivot is divided once and updated over its length, 1 + 2 (c - 1) flops.
#include "analysis/tree/front_cost.hpp"

#include <algorithm>

#include "analysis/ordering/elimination.hpp"

namespace frond {
namespace {

// DGEMM's rate on mid-size fronts, entries moved by assembly, bookkeeping.
constexpr double kFlopsPerSecond = 20e9;
constexpr double kEntriesPerSecond = 0.5e9;
constexpr double kSecondsPerFront = 1e-6;

}  // namespace

FrontCost cost_of_columns(double num_columns, double sum_c, double sum_c2, Method method) {
  if (is_symmetric(method)) return {sum_c2, sum_c};
  return {2 * sum_c2 - 3 * sum_c + num_columns, 2 * sum_c - num_columns};
}

FrontCost elimination_cost(Index order, Index num_pivots, Method method) {
  return cost_of_columns(num_pivots, sum_of_counts(order, num_pivots), sum_of_squared_counts(order, num_pivots), method);
}

FrontCost front_cost(const AssemblyTree& tree, NodeId node, Method method) {
  const double order = tree.front_order(node);
  return {elimination_cost(tree.front_order(node), tree.num_pivots(node), method).flops,
          is_symmetric(method) ? order * (order + 1) / 2 : order * order};
}

FrontCost master_cost(Index order, Index num_pivots, Method method) {
  if (is_symmetric(method)) return elimination_cost(num_pivots, num_pivots, method);
  const double m = order;
  const double p = num_pivots;
  // step by step, with j = p - 1 - k rows left to the master: the sum of j (1 + 2 (j + m - p))
  const double sum_j = p * (p - 1) / 2;
  const double sum_j2 = (p - 1) * p * (2 * p - 1) / 6;
  return {(1 + 2 * (m - p)) * sum_j + 2 * sum_j2, p * m};
}

FrontCost slave_cost(Index order, Index num_pivots, Index row_begin, Index row_end, Method method) {
  const double p = num_pivots;
  const double rows = row_end - row_begin;
  // the sum over the rows and the steps of 1 + 2 (last - k): the last updated column is the row's own, or that of the front
  const double first = num_pivots + row_begin;
  const double sum_of_last = is_symmetric(method) ? rows * first + rows * (rows - 1) / 2 : rows * (static_cast<double>(order) - 1);
  return {p * rows + 2 * p * sum_of_last - rows * p * (p - 1), p * rows};
}

Count cb_entries(Index cb_order, bool symmetric) {
  const Count order = cb_order;
  return symmetric ? order * (order + 1) / 2 : order * order;
}

double assembly_seconds(const FrontCost& cost) { return cost.entries / kEntriesPerSecond; }

double elimination_seconds(const FrontCost& cost) { return cost.flops / kFlopsPerSecond; }

double front_seconds(const FrontCost& cost) { return assembly_seconds(cost) + elimination_seconds(cost) + kSecondsPerFront; }

double shared_elimination_seconds(Index order, Index num_pivots, Rank num_slaves, Method method) {
  if (num_slaves < 1) return elimination_seconds(elimination_cost(order, num_pivots, method));
  const double all_slaves = elimination_seconds(slave_cost(order, num_pivots, 0, order - num_pivots, method));
  return std::max(elimination_seconds(master_cost(order, num_pivots, method)), all_slaves / num_slaves);
}

std::vector<double> subtree_seconds(const AssemblyTree& tree, Method method) {
  std::vector<double> seconds(tree.num_nodes(), 0.0);
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    seconds[node] += front_seconds(front_cost(tree, node, method));
    if (tree.parent(node) != kNoParent) seconds[tree.parent(node)] += seconds[node];
  }
  return seconds;
}

}  // namespace frond
