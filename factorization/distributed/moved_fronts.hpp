// SPDX-License-Identifier: BSD-3-Clause
// Implements RankFronts for finished fronts under a new plan, and for their parts on the way from rank to rank; included by
// rank_fronts.cpp only.
#pragma once

#include <algorithm>
#include <utility>

#include "factorization/distributed/held_parts.hpp"
#include "factorization/distributed/rank_fronts.hpp"
#include "loadinfo/messages/message_fields.hpp"

namespace frond {

template <class T>
std::span<std::byte> bytes_at(T* data, Count length) {
  return {reinterpret_cast<std::byte*>(data), static_cast<std::size_t>(length) * sizeof(T)};
}

// Calls visit(bytes of the range, their offset) where [offset, offset + length) and the contiguous spans overlap.
template <class Visit>
void for_each_overlap(const std::vector<std::span<std::byte>>& spans, Count offset, Count length, Visit visit) {
  Count begin = 0;
  for (const std::span<std::byte> span : spans) {
    const auto end = begin + static_cast<Count>(span.size());
    const Count from = std::max(begin, offset);
    const Count to = std::min(end, offset + length);
    if (from < to) {
      visit(span.subspan(static_cast<std::size_t>(from - begin), static_cast<std::size_t>(to - from)),
            static_cast<std::size_t>(from - offset));
    }
    begin = end;
  }
}

inline Count total_bytes(const std::vector<std::span<std::byte>>& spans) {
  Count bytes = 0;
  for (const std::span<std::byte> span : spans) {
    bytes += static_cast<Count>(span.size());
  }
  return bytes;
}

// Copies the rows of one part of a front to their places in another part, which has more rows.
template <Scalar S>
void copy_rows(const SlaveRows<S>& from, const SlaveRows<S>& to, Method method, bool with_block) {
  const Index first = from.row_begin - to.row_begin;
  const auto copy_columns = [&](const S* source, S* target, Index num_columns) {
    for (Index column = 0; column < num_columns; ++column) {
      std::copy_n(source + static_cast<Count>(column) * from.num_rows, from.num_rows,
                  target + static_cast<Count>(column) * to.num_rows + first);
    }
  };
  copy_columns(from.summed, to.summed, from.size.num_fully_summed);
  if (with_block && method == Method::lu) {
    std::copy_n(from.cb, from.cb_entries(method), to.cb + static_cast<Count>(first) * to.size.cb_order());
  } else if (with_block) {
    copy_columns(from.cb, to.cb, from.row_begin + from.num_rows);
  }
}

template <Scalar S>
void RankFronts<S>::renumber(const TaskGraph& next, const std::map<NodeId, std::vector<RowShare>>& new_shares) {
  const std::lock_guard lock(mutex_);
  renumber_parts(
      context_.graph, next, new_shares, parts_, finished_shares_, [](Part& part) { part.children.clear(); },
      [this](PartRole role, NodeId node, const Part& part) {
        if (role == PartRole::grid) {
          finished_root_ = part.root;
        } else {
          finished_rows_[node] = part.rows;
        }
      });
}

template <Scalar S>
std::map<FrontPart, Count> RankFronts<S>::held_rows() const {
  return held_rows_in(parts_, [this](FrontPart id) { return held_rows_of(id); });
}

template <Scalar S>
Count RankFronts<S>::held_rows_of(FrontPart id) const {
  const auto part = parts_.find(id);
  return part == parts_.end() || part->second.cb.data == nullptr
             ? 0
             : part->second.rows.cb_entries(context_.method) * static_cast<Count>(sizeof(S));
}

template <Scalar S>
std::map<NodeId, std::vector<RowShare>> RankFronts<S>::shared_fronts() const {
  return shared_fronts_in(parts_, context_.graph, finished_shares_);
}

template <Scalar S>
auto RankFronts<S>::finished_part(NodeId node, PartRole role) -> Part* {
  const TaskId task = context_.graph.task_of_front(node);
  return task == kNoTask ? nullptr : find_part({task, role});
}

template <Scalar S>
const SlaveRows<S>& RankFronts<S>::finished_rows(NodeId node) const {
  const Part* part = const_cast<RankFronts*>(this)->finished_part(node, PartRole::slave);
  return part != nullptr ? part->rows : finished_rows_.at(node);
}

template <Scalar S>
bool RankFronts<S>::waits(NodeId node, PartRole role) const {
  const Part* part = const_cast<RankFronts*>(this)->finished_part(node, role);
  return role == PartRole::slave ? part != nullptr && part->cb.data != nullptr : outputs_[node].data != nullptr;
}

template <Scalar S>
auto RankFronts<S>::memory_of(const SlaveRows<S>& rows, bool with_block) const -> std::vector<std::span<std::byte>> {
  std::vector<std::span<std::byte>> spans = {bytes_at(rows.summed, rows.summed_entries())};
  if (with_block) {
    spans.push_back(bytes_at(rows.cb, rows.cb_entries(context_.method)));
  }
  return spans;
}

template <Scalar S>
auto RankFronts<S>::memory_of(NodeId node, PartRole role) const -> std::vector<std::span<std::byte>> {
  if (role == PartRole::slave) {
    return memory_of(finished_rows(node), waits(node, role));
  }
  const NumericFront<S>& numeric = front(node);
  const FrontFactor<S>& factor = numeric.factor;
  const Count p = factor.num_fully_summed;
  std::vector<std::span<std::byte>> spans = {bytes_at(factor.lower, factor.layout.size()), bytes_at(factor.row_variables, p)};
  if (factor.upper != nullptr) {
    spans.push_back(bytes_at(factor.upper, factor.cb_order() * p));
  }
  if (factor.d != nullptr) {
    spans.push_back(bytes_at(factor.d, 2 * p));
  }
  if (factor.pivots != nullptr) {
    spans.push_back(bytes_at(factor.pivots, p));
  }
  if (factor.col_variables != factor.row_variables) {
    spans.push_back(bytes_at(factor.col_variables, p));
  }
  if (waits(node, role)) {
    spans.push_back(bytes_at(numeric.cb, contribution_entries(context_.symbolic.tree(), node, context_.method)));
  }
  return spans;
}

template <Scalar S>
Count RankFronts<S>::part_bytes(NodeId node, PartRole role) const {
  return total_bytes(memory_of(node, role));
}

template <Scalar S>
void RankFronts<S>::read_part(NodeId node, PartRole role, Count offset, std::span<std::byte> bytes) const {
  for_each_overlap(memory_of(node, role), offset, static_cast<Count>(bytes.size()),
                   [bytes](std::span<std::byte> from, std::size_t at) { std::copy(from.begin(), from.end(), bytes.begin() + at); });
}

template <Scalar S>
std::vector<std::byte> RankFronts<S>::describe_part(NodeId node, PartRole role) const {
  const Part* part = const_cast<RankFronts*>(this)->finished_part(node, role);
  if (role == PartRole::slave) {
    const SlaveRows<S>& rows = finished_rows(node);
    return encoded(waits(node, role), rows.size, rows.row_begin, rows.num_rows, rows.num_eliminated,
                   part == nullptr ? std::vector<RowShare>() : part->plan.shares);
  }
  const NumericFront<S>& numeric = front(node);
  const auto finished = finished_shares_.find(node);
  return encoded(waits(node, role), numeric.num_delayed_in, numeric.factor.num_eliminated, numeric.factor.num_schur_rows,
                 part != nullptr                      ? part->plan.shares
                 : finished != finished_shares_.end() ? finished->second
                                                      : std::vector<RowShare>());
}

template <Scalar S>
void RankFronts<S>::drop_part(NodeId node, PartRole role) {
  settle_store();
  Part* part = finished_part(node, role);
  if (role == PartRole::master) {
    give_back(node);
    const bool is_shared = finished_shares_.contains(node) || part != nullptr;
    const Index num_delayed_in = front(node).num_delayed_in;
    const AssemblyTree& tree = context_.symbolic.tree();
    const Count bytes = front_bytes(tree.front_order(node) + num_delayed_in, tree.num_fully_summed(node) + num_delayed_in,
                                    context_.method, sizeof(S), is_shared ? FrontShape::summed_rows : FrontShape::whole);
    context_.storage.forget(reinterpret_cast<const std::byte*>(front(node).factor.lower), bytes, context_.meter);
    front(node) = {};
    finished_shares_.erase(node);
  } else {
    context_.storage.give_back_unplanned(reinterpret_cast<std::byte*>(finished_rows(node).summed), context_.meter);
    finished_rows_.erase(node);
    if (part != nullptr) {
      context_.arena.give_back(part->cb);
    }
  }
  if (part != nullptr) {
    const std::lock_guard lock(mutex_);
    parts_.erase({context_.graph.task_of_front(node), role});
  }
}

template <Scalar S>
void RankFronts<S>::settle_store() const {
  if (context_.store != nullptr) {
    context_.store->settle();
  }
}

// Takes memory for finished rows of a slave.
template <Scalar S>
void RankFronts<S>::place_rows(Part& part, bool with_block) const {
  constexpr auto kScalarBytes = static_cast<Count>(sizeof(S));
  part.rows.summed =
      reinterpret_cast<S*>(context_.storage.place_unplanned(part.rows.summed_entries() * kScalarBytes, context_.meter));
  if (with_block) {
    part.cb = context_.arena.take(part.rows.cb_entries(context_.method) * kScalarBytes, ContributionArena::End::low);
    part.rows.cb = reinterpret_cast<S*>(part.cb.data);
  }
}

template <Scalar S>
void RankFronts<S>::take_part(const MovedPart& moved, std::span<const std::byte> described) {
  ByteReader reader(described);
  FieldReader fields(reader);
  bool with_block = false;
  fields(with_block);
  const NodeId node = moved.node;
  if (moved.role == PartRole::slave) {
    Part& part = coming_rows_[{node, moved.from}];
    fields(part.rows.size, part.rows.row_begin, part.rows.num_rows, part.rows.num_eliminated, part.plan.shares);
    part.plan.task = context_.graph.task_of_front(node);
    place_rows(part, with_block);
    return;
  }
  const AssemblyTree& tree = context_.symbolic.tree();
  NumericFront<S>& numeric = front(node);
  Index num_eliminated = 0;
  Index num_schur_rows = 0;
  std::vector<RowShare> shares;
  fields(numeric.num_delayed_in, num_eliminated, num_schur_rows, shares);
  numeric.factor = take_front(node, numeric.num_delayed_in, shares.empty() ? FrontShape::whole : FrontShape::summed_rows);
  numeric.factor.num_eliminated = num_eliminated;
  numeric.factor.num_schur_rows = num_schur_rows;
  if (with_block) {
    numeric.cb_layout = contribution_layout(tree.cb_order(node), context_.method);
    numeric.cb = reinterpret_cast<S*>(take_output(node));
  }
  if (const TaskId task = context_.graph.task_of_front(node); !shares.empty() && task != kNoTask) {
    const std::lock_guard lock(mutex_);
    parts_[{task, PartRole::master}].plan = {task, context_.graph.task(task).rank, shares, {}};
  } else if (!shares.empty()) {
    finished_shares_[node] = shares;
  }
}

template <Scalar S>
void RankFronts<S>::write_part(const MovedPart& moved, Count offset, std::span<const std::byte> bytes) {
  std::vector<std::span<std::byte>> memory;
  if (moved.role == PartRole::slave) {
    const Part& part = coming_rows_.at({moved.node, moved.from});
    memory = memory_of(part.rows, part.cb.data != nullptr);
  } else {
    memory = memory_of(moved.node, moved.role);
  }
  for_each_overlap(memory, offset, static_cast<Count>(bytes.size()),
                   [bytes](std::span<std::byte> to, std::size_t at) { std::copy_n(bytes.begin() + at, to.size(), to.begin()); });
}

// Joins arriving rows with those of the same front that were here, and with each other: they are consecutive.
template <Scalar S>
void RankFronts<S>::join_rows(NodeId node) {
  std::vector<Part> pieces;
  for (auto coming = coming_rows_.lower_bound({node, 0}); coming != coming_rows_.end() && coming->first.first == node;) {
    pieces.push_back(std::move(coming->second));
    coming = coming_rows_.erase(coming);
  }
  const TaskId task = context_.graph.task_of_front(node);
  Part joined = pieces.front();
  if (Part* there = finished_part(node, PartRole::slave); there != nullptr) {
    pieces.push_back(*there);
  } else if (finished_rows_.contains(node)) {
    pieces.emplace_back().rows = finished_rows_.at(node);
  }
  if (pieces.size() > 1) {
    settle_store();
    const bool with_block = joined.cb.data != nullptr;
    joined.rows.num_rows = 0;
    for (const Part& piece : pieces) {
      joined.rows.row_begin = std::min(joined.rows.row_begin, piece.rows.row_begin);
      joined.rows.num_rows += piece.rows.num_rows;
    }
    place_rows(joined, with_block);
    for (const Part& piece : pieces) {
      copy_rows(piece.rows, joined.rows, context_.method, with_block);
      context_.storage.give_back_unplanned(reinterpret_cast<std::byte*>(piece.rows.summed), context_.meter);
      context_.arena.give_back(piece.cb);
    }
  }
  if (task == kNoTask) {
    finished_rows_[node] = joined.rows;
    return;
  }
  const std::lock_guard lock(mutex_);
  parts_[{task, PartRole::slave}] = std::move(joined);
}

}  // namespace frond
