// SPDX-License-Identifier: BSD-3-Clause
// Starts a solve in RankSweeps; included by rank_sweeps.cpp alone.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "solver/distributed/ranks/rank_sweeps.hpp"
#include "solver/numerics/sweeps/sweep_nodes.hpp"

namespace frond {

// Prepares for the messages of a solve.
template <Scalar S>
void RankSweeps<S>::reset() {
  has_right_sides_ = false;
  visited_backward_.clear();
  num_fronts_left_ = own_nodes_.size();
  for (const NodeId node : own_nodes_) {
    children_left_[at(node)] = static_cast<Index>(tree_.children(node).size());
  }
}

template <Scalar S>
void RankSweeps<S>::start_step(SchurStep step, SweepPart part, Operation operation, DenseView<S> x) {
  x_ = x;
  num_answers_ = 0;
  const SolveRoute<S> route(system_.symbolic, system_.method, operation, system_.row_scaling, system_.col_scaling);
  std::vector<Rows> parts = rows_of_masters<S>(tree_, system_.mapping, x.cols, [&](Index variable, S* to) {
    if (step == SchurStep::expand && is_kept(variable)) {
      route.load_unknown(x, route.row_of_unknown(variable), to);
    } else if (has_first(part)) {
      const Index row = route.row_of_equation(variable);
      route.load(x, row, row, to);
    } else {
      route.load_pivot(x, system_.symbolic.row_perm()[at(variable)], to, part == SweepPart::second);
    }
  });
  const std::vector<NodeId> wanted = wanted_nodes(route);
  for (Rank rank = 1; rank < outbox_.num_ranks(); ++rank) {
    outbox_.send(rank, encoded(SolveMessage::right_sides, step, part, operation, x.cols, std::span<const NodeId>(wanted),
                               parts[static_cast<std::size_t>(rank)]));
  }
  take_right_sides(step, part, operation, x.cols, wanted, std::move(parts[0]));
}

// The nodes whose variables are wanted, increasing; empty if all are.
template <Scalar S>
std::vector<NodeId> RankSweeps<S>::wanted_nodes(const SolveRoute<S>& route) {
  std::vector<NodeId> nodes;
  nodes.reserve(wanted_rows_.size());
  for (const Index row : std::exchange(wanted_rows_, {})) {
    nodes.push_back(node_of(tree_, route.unknown_of(row)));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

// Marks the nodes and their ancestors.
template <Scalar S>
void RankSweeps<S>::visit_backward(std::span<const NodeId> wanted) {
  if (wanted.empty()) {
    return;
  }
  std::vector<char> marked(at(tree_.num_nodes()));
  for (const NodeId node : wanted) {
    check_node(node);
    marked[at(node)] = 1;
  }
  visited_backward_ = with_ancestors(tree_, std::move(marked));
}

template <Scalar S>
void RankSweeps<S>::start_backward(const EliminatedSides<S>& sides, Index begin, Index end, DenseView<S> x) {
  x_ = x;
  num_answers_ = 0;
  step_ = SchurStep::none;
  part_ = SweepPart::whole;
  route_.emplace(system_.symbolic, system_.method, Operation::plain, system_.row_scaling, system_.col_scaling);
  num_rhs_ = end - begin;
  eliminated_.resize(static_cast<std::size_t>(num_eliminated_ * num_rhs_));
  delayed_elsewhere_ = sides.delayed_unknowns;
  for (const NodeId node : own_nodes_) {
    const Rows& rows = sides.rows[at(node)];
    frond::expect_rows(rows.size(), front(node).num_eliminated, sides.num_rhs);
    for (Index k = 0; k < front(node).num_eliminated; ++k) {
      std::copy_n(rows.data() + static_cast<Count>(k) * sides.num_rhs + begin, num_rhs_,
                  eliminated(node) + static_cast<Count>(k) * num_rhs_);
    }
  }
  has_right_sides_ = true;
  start_at_roots();
  run();
}

// Starts the backward sweep after the forward sweep.
template <Scalar S>
void RankSweeps<S>::start_at_roots() {
  for (const NodeId node : own_nodes_) {
    if (tree_.parent(node) != kNoParent) {
      continue;
    }
    if (is_on_grid(node)) {
      const Rows rows(eliminated(node), eliminated(node) + static_cast<Count>(front(node).num_eliminated) * num_rhs_);
      pass_grid({rows.data(), num_rhs_, front(node).num_eliminated, num_rhs_});
    } else {
      take_solution_of_parent(node, {});
    }
  }
}

}  // namespace frond
