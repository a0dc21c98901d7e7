// SPDX-License-Identifier: BSD-3-Clause
// Passes right-hand sides up the tree, from master to master.
#pragma once

#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "frond/dense.hpp"
#include "solver/distributed/ranks/front_places.hpp"

namespace frond {

/// The contribution of a front to its parent in the forward sweep.
template <Scalar S>
struct SideContribution {
  std::vector<Index> delayed;  ///< equations (or pivots)
  std::vector<S> rows;         ///< first the delayed ones, then the node's cb_rows, num_rhs numbers each; empty: zeros
};

/// f, initially zero, becomes the right-hand sides of a front: those delayed into it, and the sums of those of its own variables,
/// which begin at `own`, and of the contributions, in the order of the children. `contributions` is by child; used ones become
/// empty. `places` are those of the front. Throws InternalError if a contribution has another size than the child's.
template <Scalar S>
void assemble_right_sides(const AssemblyTree& tree, NodeId node, const S* own, std::vector<SideContribution<S>>& contributions,
                          const FrontPlaces& places, DenseView<S> f);

/// [rank] = rows of num_rhs numbers for the variables of the nodes that the rank masters, node by node. load(variable, to) writes
/// the row of a variable, by its new number, to its place.
template <Scalar S, class Load>
[[nodiscard]] std::vector<std::vector<S>> rows_of_masters(const AssemblyTree& tree, const Mapping& mapping, Index num_rhs,
                                                          const Load& load) {
  std::vector<std::vector<S>> parts(static_cast<std::size_t>(mapping.num_ranks()));
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    std::vector<S>& rows = parts[static_cast<std::size_t>(mapping.master(node))];
    const Index begin = tree.variable_begin(node);
    for (Index variable = begin; variable < begin + tree.num_fully_summed(node); ++variable) {
      rows.resize(rows.size() + static_cast<std::size_t>(num_rhs));
      load(variable, rows.data() + rows.size() - num_rhs);
    }
  }
  return parts;
}

/// Throws InternalError unless a message has `num_rows` rows of `num_rhs` numbers.
void expect_rows(std::size_t num_numbers, Count num_rows, Index num_rhs);

}  // namespace frond
