// SPDX-License-Identifier: BSD-3-Clause
// Bounds the number of ranks of a front.
#include "analysis/mapping/node_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/tree/front_cost.hpp"
#include "frond/error.hpp"

namespace frond {

namespace {

/// ScaLAPACK has no LDLT.
NodeId largest_root_for_grid(const AssemblyTree& tree, Method method) {
  NodeId largest = kNoNode;
  if (method != Method::cholesky && method != Method::lu) return largest;
  for (const NodeId root : tree.roots()) {
    if (largest == kNoNode || tree.front_order(root) > tree.front_order(largest)) largest = root;
  }
  return largest;
}

}  // namespace

Rank max_slaves(Index order, Index num_fully_summed, Method method, const MappingOptions& options) {
  if (elimination_cost(order, num_fully_summed, method).flops < options.min_front_flops) return 0;
  return (order - num_fully_summed) / std::max<Index>(options.min_slave_rows, 1);
}

GridShape grid_shape(Index order, Rank num_ranks, const MappingOptions& options) {
  const Count longest_side = order / std::max<Index>(options.grid_order_per_side, 1);
  const Rank limit = static_cast<Rank>(std::min<Count>(num_ranks, longest_side * longest_side));
  if (limit == 0) return {};
  const Rank num_rows = static_cast<Rank>(std::sqrt(static_cast<double>(limit)));
  return {num_rows, static_cast<Rank>(std::min<Count>(limit / num_rows, longest_side))};
}

std::vector<Rank> grid_ranks(const MappingOptions& options) {
  std::vector<Rank> ranks = options.grid_ranks;
  if (ranks.empty()) {
    ranks.resize(options.num_ranks);
    std::iota(ranks.begin(), ranks.end(), 0);
  }
  std::vector<bool> named(options.num_ranks, false);
  for (const Rank rank : ranks) {
    if (rank < 0 || rank >= options.num_ranks || named[rank]) {
      throw UsageError(
          fmt::format("Rank {} cannot be named for the grid of the root: of {} ranks, numbered from 0, each may be named once.",
                      rank, options.num_ranks));
    }
    named[rank] = true;
  }
  return ranks;
}

NodeId find_grid_root(const AssemblyTree& tree, Method method, const MappingOptions& options) {
  const NodeId root = tree.schur_node() != kNoNode ? tree.schur_node() : largest_root_for_grid(tree, method);
  if (root == kNoNode) return kNoNode;
  const auto num_ranks = static_cast<Rank>(grid_ranks(options).size());
  return grid_shape(tree.front_order(root), num_ranks, options).size() >= 2 ? root : kNoNode;
}

}  // namespace frond
