// SPDX-License-Identifier: BSD-3-Clause
// Right-hand sides on their way up the tree, from master to master.
#pragma once

#include <string>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "frond/dense.hpp"
#include "solver/distributed/ranks/front_places.hpp"

namespace frond {

/// What the forward sweep leaves of a front for its parent.
template <Scalar S>
struct SideContribution {
  std::vector<Index> delayed;  ///< equations (or pivots)
  std::vector<S> rows;         ///< theirs, then those of the node's cb_rows, num_rhs numbers each; empty: zeros
};

/// f, zero so far, becomes the right-hand sides of a front: what was delayed into it, and the sums of those of its own variables,
/// which begin at `own`, and of the contributions, in the order of the children. `contributions` is by child; what is used becomes
/// empty. `places` are those of the front. Throws InternalError if a contribution has another size than the child's.
template <Scalar S>
void assemble_right_sides(const AssemblyTree& tree, NodeId node, const S* own, std::vector<SideContribution<S>>& contributions,
                          const FrontPlaces& places, DenseView<S> f);

/// [rank] = rows of num_rhs numbers for the variables of the nodes whose master the rank is, node by node. load(variable, to) puts
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

/// Throws InternalError unless a message has brought that many numbers for each of the right-hand sides.
void expect_rows(std::size_t num_numbers, Count num_rows, Index num_rhs);

}  // namespace frond
