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

std::vector<NodeId> nodes_of_master(const Mapping& mapping, Rank rank) {
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < mapping.num_nodes(); ++node) {
    if (mapping.master(node) == rank) {
      nodes.push_back(node);
    }
  }
  return nodes;
}

template <Scalar S>
FrontSides<S>::FrontSides(const AssemblyTree& tree, const std::vector<NodeId>& nodes)
    : tree_(tree),
      offsets_(static_cast<std::size_t>(tree.num_nodes())),
      contributions_(static_cast<std::size_t>(tree.num_nodes())) {
  for (const NodeId node : nodes) {
    offsets_[node] = num_rows_;
    num_rows_ += tree.num_fully_summed(node);
  }
}

template <Scalar S>
void FrontSides<S>::set(Rows rows, Index num_rhs) {
  expect_rows(rows.size(), num_rows_, num_rhs);
  num_rhs_ = num_rhs;
  own_ = std::move(rows);
}

template <Scalar S>
void FrontSides<S>::load(Index first, Index width, std::span<const S> rows) {
  expect_rows(rows.size(), num_rows_, width);
  for (Count row = 0; row < num_rows_; ++row) {
    std::copy_n(rows.data() + row * width, width, own_.data() + row * num_rhs_ + first);
  }
}

template <Scalar S>
auto FrontSides<S>::assemble(NodeId node, std::span<const Index> fully_summed, FrontPlaces& places) -> Rows {
  places.set(tree_.variable_begin(node), tree_.num_fully_summed(node), fully_summed);
  Rows rows((fully_summed.size() + static_cast<std::size_t>(tree_.cb_order(node))) * static_cast<std::size_t>(num_rhs_));
  const S* from = own(node);
  const auto add_to = [&](Index place) {
    S* const to = rows.data() + static_cast<Count>(place) * num_rhs_;
    std::transform(from, from + num_rhs_, to, to, std::plus<>());
    from += num_rhs_;
  };
  for (Index i = 0; i < tree_.num_fully_summed(node); ++i) {
    add_to(places.of_position(i));
  }
  for (const NodeId child : tree_.children(node)) {
    const SideContribution<S> contribution = std::exchange(this->from(child), {});
    if (contribution.rows.empty()) {
      continue;
    }
    expect_rows(contribution.rows.size(), static_cast<Count>(contribution.delayed.size()) + tree_.cb_order(child), num_rhs_);
    from = contribution.rows.data();
    for (const Index variable : contribution.delayed) {
      add_to(places.of_variable(variable));
    }
    for (const Index position : tree_.relative_indices(child)) {
      add_to(places.of_position(position));
    }
  }
  return rows;
}

FROND_INSTANTIATE_CLASS(FrontSides)

}  // namespace frond
