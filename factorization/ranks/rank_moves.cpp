// SPDX-License-Identifier: BSD-3-Clause
// Moves parts piece by piece, or through files.
#include "factorization/ranks/rank_moves.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "frond/error.hpp"

namespace frond {

// A rank may have to make room before it can receive: parts are sent one after the other, when streams leave room for them.
void RankMoves::begin(const RecoveryPlan& plan) {
  folder_ = plan.folder;
  for (const MovedPart& part : plan.moves) {
    if (part.from == me()) {
      outgoing_.push_back({part, context_.recovery.fronts->part_bytes(part.node, part.role)});
    } else if (part.to == me()) {
      coming_[part] = 0;
    }
  }
}

bool RankMoves::is_coming(NodeId node, PartRole role) const {
  const auto first = coming_.lower_bound({node, role, 0, 0});
  return first != coming_.end() && first->first.node == node && first->first.role == role;
}

std::vector<TaskId> RankMoves::coming_tasks() const {
  std::vector<TaskId> tasks;
  for (const auto& [part, bytes] : coming_) {
    const TaskId task = context_.graph.task_of_front(part.node);
    if (part.role == PartRole::master && task != kNoTask && task_of(task).is_held) {
      tasks.push_back(task);
    }
  }
  std::sort(tasks.begin(), tasks.end());
  return tasks;
}

void RankMoves::send_pieces() {
  while (mail_.has_room() && !outgoing_.empty()) {
    send_next();
  }
}

void RankMoves::send_next() {
  Outgoing& move = outgoing_.front();
  if (!folder_.empty() && move.offset == 0 && write(move)) {
    return;
  }
  MovableFronts& fronts = *context_.recovery.fronts;
  const auto [node, role, from, to] = move.part;
  MoveMessage message{node, role, move.total_bytes, {}, std::min(options_.piece_bytes, move.total_bytes - move.offset), false, {}};
  if (move.offset == 0) {
    message.described = fronts.describe_part(node, role);
  }
  std::vector<std::byte> piece(static_cast<std::size_t>(context_.parts.are_ghosts() ? 0 : message.num_bytes));
  fronts.read_part(node, role, move.offset, piece);
  message.bytes = piece;
  mail_.send(to, message, message.num_bytes - static_cast<Count>(piece.size()));
  counts_.bytes_sent += message.num_bytes;
  move.offset += message.num_bytes;
  if (move.offset == move.total_bytes) {
    end(move.part);
  }
}

// Returns false if the disk takes no more: the part then goes from memory to memory.
bool RankMoves::write(const Outgoing& move) {
  MovableFronts& fronts = *context_.recovery.fronts;
  const auto [node, role, from, to] = move.part;
  const auto read = [&, node = node, role = role](Count offset, std::span<std::byte> bytes) {
    fronts.read_part(node, role, offset, bytes);
  };
  try {
    context_.recovery.files->write(move_file(folder_, move.part), move.total_bytes, read);
  } catch (const OutputError&) {
    ++counts_.parts_not_written;
    return false;
  }
  mail_.send(to, MoveMessage{node, role, move.total_bytes, fronts.describe_part(node, role), move.total_bytes, true, {}});
  counts_.bytes_sent += move.total_bytes;
  end(move.part);
  return true;
}

// Called when the first of the outgoing parts has been sent.
void RankMoves::end(const MovedPart& part) {
  const auto [node, role, from, to] = part;
  ++counts_.parts_sent;
  if (const TaskId task = context_.graph.task_of_front(node); task != kNoTask && role == PartRole::slave) {
    streams_.drop_held({task, role});
  }
  context_.recovery.fronts->drop_part(node, role);
  outgoing_.pop_front();
}

void RankMoves::receive(Rank from, const MoveMessage& message) {
  const MovedPart part{message.node, message.role, from, me()};
  const auto coming = coming_.find(part);
  if (coming == coming_.end()) {
    throw InternalError("rank " + std::to_string(from) + " sends a part of node " + std::to_string(message.node) +
                        " that no plan gives to this rank");
  }
  MovableFronts& fronts = *context_.recovery.fronts;
  if (coming->second == 0) {
    fronts.take_part(part, message.described);
  }
  if (message.is_in_file) {
    context_.recovery.files->read(move_file(folder_, part), message.total_bytes,
                                  [&](Count offset, std::span<const std::byte> bytes) { fronts.write_part(part, offset, bytes); });
  } else {
    fronts.write_part(part, coming->second, message.bytes);
  }
  coming->second += message.num_bytes;
  if (coming->second == message.total_bytes) {
    coming_.erase(coming);
    has_come(part.node, part.role);
  }
}

// Called when a part has arrived: what waits for it continues.
void RankMoves::has_come(NodeId node, PartRole role) {
  if (role == PartRole::slave) {
    if (is_coming(node, role)) {
      return;  // more rows of it are still to come
    }
    context_.recovery.fronts->join_rows(node);
  }
  const TaskId task = context_.graph.task_of_front(node);
  if (task == kNoTask || !task_of(task).is_held) {
    return;
  }
  if (role == PartRole::master) {
    tasks_->on_come(task);
    layout_.announce(task);
    return;
  }
  const FrontPart id{task, role};
  const Count held = context_.recovery.fronts->held_rows_of(id);
  vary({0, held - streams_.held_bytes(id)});
  streams_.hold(id, held);
}

}  // namespace frond
