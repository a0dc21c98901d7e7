// SPDX-License-Identifier: BSD-3-Clause
// Implements what RankFronts does for the root on a grid; included by rank_fronts.cpp only.
#pragma once

#include <algorithm>
#include <utility>

#include "factorization/distributed/rank_fronts.hpp"

namespace frond {

template <Scalar S>
RootPart<S> RankFronts<S>::empty_root(const FrontPlan& plan) const {
  const RootGrid& grid = context_.graph.root_grid();
  const RootLayout layout(front_size(context_.symbolic.tree(), context_.graph, plan).order, grid);
  return {layout, position_on(grid, layout, context_.rank), nullptr};
}

// Returns the rank's part of the rows that a child sends to the root.
template <Scalar S>
RootPiece<S> RankFronts<S>::root_piece(const RowStream& stream) const {
  const RootGrid& grid = context_.graph.root_grid();
  const RootLayout layout(context_.symbolic.tree().front_order(grid.node) + stream.num_delayed_in, grid);
  return RootPiece<S>(layout, context_.method, child_rows(stream, nullptr), stream.num_delayed_in,
                      position_on(grid, layout, stream.to));
}

template <Scalar S>
void RankFronts<S>::assemble_root(TaskId task) {
  const NodeId node = context_.graph.task(task).node_begin;
  Part& part = *find_part({task, PartRole::grid});
  const RootPart<S>& root = *part.root;
  if (root.position == GridPosition{}) {
    place(node, FrontShape::variables);
  }
  for (auto& [child, streamed] : part.children) {
    for (const Incoming& incoming : streamed.incoming) {
      const RootPiece<S> piece = root_piece(incoming.stream);
      piece.add(0, piece.num_entries(), reinterpret_cast<const S*>(incoming.memory.data), root.entries);
    }
    give_back(streamed);
  }
  const Index num_delayed_in = root.layout.order() - context_.symbolic.tree().front_order(node);
  add_root_entries(context_.symbolic, context_.method, context_.matrix, node, num_delayed_in, root);
  if (has_root_copy()) {
    const Count num_entries = root.layout.num_entries(root.position);
    part.cb = context_.arena.take(num_entries * static_cast<Count>(sizeof(S)), ContributionArena::End::low);
    std::copy_n(root.entries, num_entries, reinterpret_cast<S*>(part.cb.data));
  }
}

template <Scalar S>
RootPart<S> RankFronts<S>::root_part(TaskId task) const {
  return *find_part({task, PartRole::grid})->root;
}

template <Scalar S>
RootPart<S> RankFronts<S>::root_copy(TaskId task) const {
  const Part& part = *find_part({task, PartRole::grid});
  return {part.root->layout, part.root->position, reinterpret_cast<S*>(part.cb.data)};
}

template <Scalar S>
Index RankFronts<S>::root_variable(TaskId task, Index position) const {
  Index first = 0;  // of the child's delayed variables
  for (const ChildOutput& child : plan({task, PartRole::grid}).children) {
    for (const DelayedVariables& delayed : child.announcement.tops) {
      const auto num_delayed = static_cast<Index>(delayed.rows.size());
      if (position < first + num_delayed) {
        return delayed.rows[position - first];
      }
      first += num_delayed;
    }
  }
  return context_.symbolic.tree().variable_begin(context_.graph.task(task).node_begin) + position - first;
}

template <Scalar S>
void RankFronts<S>::drop_root_copy(TaskId task) {
  context_.arena.give_back(std::exchange(find_part({task, PartRole::grid})->cb, {}));
}

template <Scalar S>
void RankFronts<S>::drop_root(TaskId task) {
  drop_root_copy(task);
  std::optional<RootPart<S>>& root = find_part({task, PartRole::grid})->root;
  context_.storage.give_back_unplanned(reinterpret_cast<std::byte*>(root->entries), context_.meter);
  root.reset();
}

template <Scalar S>
void RankFronts<S>::place_whole_root(TaskId task) {
  place(context_.graph.task(task).node_begin, FrontShape::whole);
}

}  // namespace frond
