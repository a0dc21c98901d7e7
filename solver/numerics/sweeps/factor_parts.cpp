// SPDX-License-Identifier: BSD-3-Clause
// Determines the order in which pivots were taken.
#include "solver/numerics/sweeps/factor_parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace frond {
namespace {

// Lists nodes in postorder, level after level: couplings are then above the diagonal.
std::vector<NodeId> nodes_by_levels(const Symbolic& symbolic) {
  const AssemblyTree& tree = symbolic.tree();
  std::vector<NodeId> nodes(static_cast<std::size_t>(tree.num_nodes()));
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  if (symbolic.blocks().splits()) {
    const auto level_of = [&](NodeId node) {
      const Index column = symbolic.permutation().perm[tree.variable_begin(node)];
      return symbolic.blocks().level_of_column[column];
    };
    std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return level_of(a) < level_of(b); });
  }
  return nodes;
}

}  // namespace

template <Scalar S>
FactorOrder<S> factor_order_of(const Factors<S>& factors, bool is_transposed) {
  const Symbolic& symbolic = factors.symbolic();
  FactorOrder<S> order;
  for (const NodeId node : nodes_by_levels(symbolic)) {
    const FrontFactor<S>& front = factors.front(node);
    for (Index k = 0; k < front.num_eliminated; ++k) {
      order.rows.push_back(symbolic.row_perm()[front.row_variables[k]]);
      order.cols.push_back(symbolic.permutation().perm[front.col_variables[k]]);
    }
  }
  order.pivots = order.rows;
  order.row_scaling.assign(factors.row_scaling().begin(), factors.row_scaling().end());
  order.col_scaling.assign(factors.col_scaling().begin(), factors.col_scaling().end());
  if (is_transposed) {
    std::swap(order.rows, order.cols);
    std::swap(order.row_scaling, order.col_scaling);
  }
  return order;
}

#define FROND_INSTANTIATE(S) template FactorOrder<S> factor_order_of(const Factors<S>&, bool);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
