// SPDX-License-Identifier: BSD-3-Clause
// Adds contributions in the order of the children.
#include "solver/distributed/ranks/front_sides.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "frond/error.hpp"

namespace frond {

void expect_rows(std::size_t num_numbers, Count num_rows, Index num_rhs) {
  if (static_cast<Count>(num_numbers) != num_rows * num_rhs) {
    throw InternalError(
        fmt::format("a message between ranks holds {} numbers where {} rows of {} were expected; do all processes "
                    "solve the same system?",
                    num_numbers, num_rows, num_rhs));
  }
}

template <Scalar S>
void assemble_right_sides(const AssemblyTree& tree, NodeId node, const S* own, std::vector<SideContribution<S>>& contributions,
                          const FrontPlaces& places, DenseView<S> f) {
  const S* from = own;
  const auto add_to = [&](Index place) {
    std::transform(from, from + f.rows, f.column(place), f.column(place), std::plus<>());
    from += f.rows;
  };
  for (Index i = 0; i < tree.num_fully_summed(node); ++i) {
    add_to(places.of_position(i));
  }
  for (const NodeId child : tree.children(node)) {
    const SideContribution<S> contribution = std::exchange(contributions[static_cast<std::size_t>(child)], {});
    if (contribution.rows.empty()) {
      continue;
    }
    expect_rows(contribution.rows.size(), static_cast<Count>(contribution.delayed.size()) + tree.cb_order(child), f.rows);
    from = contribution.rows.data();
    for (const Index variable : contribution.delayed) {
      add_to(places.of_variable(variable));
    }
    for (const Index position : tree.relative_indices(child)) {
      add_to(places.of_position(position));
    }
  }
}

#define FROND_INSTANTIATE(S)                                                                                                       \
  template void assemble_right_sides(const AssemblyTree&, NodeId, const S*, std::vector<SideContribution<S>>&, const FrontPlaces&, \
                                     DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
