// SPDX-License-Identifier: BSD-3-Clause
// Costs of a front, and of the master's and a slave's part of it when its rows are distributed: flops, entries, seconds.
#pragma once

#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "frond/types.hpp"

namespace frond {

/// Work on a front. Flops count one multiplication or addition of the scalar type; each function says which entries it counts.
struct FrontCost {
  double flops = 0;
  double entries = 0;

  FrontCost& operator+=(const FrontCost& other) {
    flops += other.flops;
    entries += other.entries;
    return *this;
  }
};

/// Costs of eliminating columns of L from the sums over them of c and c^2, c = entries of the column: c^2 flops and c entries of
/// the factors (symmetric); (c - 1) + 2 (c - 1)^2 flops and 2 c - 1 entries (LU).
[[nodiscard]] FrontCost cost_of_columns(double num_columns, double sum_c, double sum_c2, Method method);

/// Cost of eliminating `num_pivots` columns of a front of that order; `entries` are those of the factors.
[[nodiscard]] FrontCost elimination_cost(Index order, Index num_pivots, Method method);

/// Flops of eliminating the node's front without delayed pivots; `entries` are those of the whole front, which assembly moves.
[[nodiscard]] FrontCost front_cost(const AssemblyTree& tree, NodeId node, Method method);

/// The master's part of elimination_cost() when the rows are distributed: it holds the fully summed rows, of which the symmetric
/// methods have the lower triangle only, and the slaves all other rows.
[[nodiscard]] FrontCost master_cost(Index order, Index num_pivots, Method method);

/// The part of a slave that holds the rows [row_begin, row_end) of the contribution block (numbers from 0 to order - num_pivots).
/// Master and slaves add up to elimination_cost(). Symmetric rows become longer, and more expensive, towards the end.
[[nodiscard]] FrontCost slave_cost(Index order, Index num_pivots, Index row_begin, Index row_end, Method method);

/// Entries of a contribution block: one triangle with its diagonal when symmetric, all of it otherwise.
[[nodiscard]] Count cb_entries(Index cb_order, bool symmetric);

/// A plain model of one core that weighs pieces of work against one another.
[[nodiscard]] double assembly_seconds(const FrontCost& cost);     ///< from `entries`
[[nodiscard]] double elimination_seconds(const FrontCost& cost);  ///< from `flops`
[[nodiscard]] double front_seconds(const FrontCost& cost);        ///< of a front_cost(), with what every front costs

/// Seconds until the master of a front and `num_slaves` slaves with equal parts have eliminated it; no slaves: one rank does all.
[[nodiscard]] double shared_elimination_seconds(Index order, Index num_pivots, Rank num_slaves, Method method);

/// [node] = front_seconds() of the node and everything below it.
[[nodiscard]] std::vector<double> subtree_seconds(const AssemblyTree& tree, Method method);

}  // namespace frond
