// SPDX-License-Identifier: BSD-3-Clause
// Implements GhostFronts for finished fronts under a new plan, as in moved_fronts.hpp, in bytes.
#include <utility>

#include "factorization/ghosts/ghost_fronts.hpp"
#include "loadinfo/messages/message_fields.hpp"

namespace frond {

void GhostFronts::renumber(const TaskGraph& next, const std::map<NodeId, std::vector<RowShare>>& new_shares) {
  renumber_parts(
      context_.graph, next, new_shares, parts_, finished_shares_,
      [](Part& part) {
        part.streamed.clear();
        part.work.reset();
      },
      [this](PartRole role, NodeId node, const Part& part) {
        if (role == PartRole::slave) {
          finished_rows_[node] = part.factor_bytes;
        }
      });
}

std::map<FrontPart, Count> GhostFronts::held_rows() const {
  return held_rows_in(parts_, [this](FrontPart id) { return held_rows_of(id); });
}

Count GhostFronts::held_rows_of(FrontPart id) const {
  const auto part = parts_.find(id);
  return part == parts_.end() ? 0 : part->second.cb_bytes;
}

GhostFronts::FinishedPart GhostFronts::finished_part(NodeId node, PartRole role) const {
  FinishedPart finished;
  const TaskId task = context_.graph.task_of_front(node);
  const auto part = task == kNoTask ? parts_.end() : parts_.find({task, role});
  if (role == PartRole::slave) {
    finished.size =
        part != parts_.end() ? PartSize{part->second.factor_bytes, part->second.cb_bytes} : PartSize{finished_rows_.at(node), 0};
    return finished;
  }
  if (part != parts_.end()) {
    finished.shares = part->second.plan.shares;
  } else if (const auto known = finished_shares_.find(node); known != finished_shares_.end()) {
    finished.shares = known->second;
  }
  finished.size.factor_bytes = factor_bytes(node, finished.shares.empty() ? FrontShape::whole : FrontShape::summed_rows);
  finished.size.cb_bytes = task != kNoTask && finished.shares.empty() ? output_bytes(node) : 0;
  return finished;
}

// Stores a part where finished_part() finds it.
void GhostFronts::place(NodeId node, PartRole role, const FinishedPart& part) {
  const TaskId task = context_.graph.task_of_front(node);
  if (role == PartRole::slave && task == kNoTask) {
    finished_rows_[node] = part.size.factor_bytes;
  } else if (role == PartRole::slave) {
    parts_[{task, role}].factor_bytes = part.size.factor_bytes;
    parts_[{task, role}].cb_bytes = part.size.cb_bytes;
  } else if (!part.shares.empty() && task == kNoTask) {
    finished_shares_[node] = part.shares;
  }
  if (task != kNoTask && !part.shares.empty()) {
    parts_[{task, role}].plan = {task, context_.graph.task(task).rank, part.shares, {}};
  }
}

std::vector<std::byte> GhostFronts::describe_part(NodeId node, PartRole role) const {
  const FinishedPart part = finished_part(node, role);
  const TaskId task = context_.graph.task_of_front(node);
  return encoded(part.size, role == PartRole::slave && task != kNoTask ? parts_.at({task, role}).plan.shares : part.shares);
}

Count GhostFronts::part_bytes(NodeId node, PartRole role) const {
  const PartSize size = finished_part(node, role).size;
  return size.factor_bytes + size.cb_bytes;
}

void GhostFronts::drop_part(NodeId node, PartRole role) {
  if (context_.store != nullptr) {
    context_.store->settle();
  }
  const PartSize size = finished_part(node, role).size;
  memory_.release(size.factor_bytes);
  give_back_active(size.cb_bytes);
  if (const TaskId task = context_.graph.task_of_front(node); task != kNoTask) {
    parts_.erase({task, role});
  }
  if (role == PartRole::slave) {
    finished_rows_.erase(node);
  } else {
    finished_shares_.erase(node);
  }
}

void GhostFronts::take_part(const MovedPart& part, std::span<const std::byte> described) {
  ByteReader reader(described);
  FinishedPart taken;
  FieldReader fields(reader);
  fields(taken.size, taken.shares);
  memory_.charge(taken.size.factor_bytes);
  take_active(taken.size.cb_bytes);
  if (part.role == PartRole::slave) {
    coming_rows_[{part.node, part.from}] = std::move(taken);
  } else {
    place(part.node, part.role, taken);
  }
}

// While rows are joined they briefly exist twice.
void GhostFronts::join_rows(NodeId node) {
  FinishedPart joined;
  std::size_t num_pieces = 0;
  const auto add = [&](const FinishedPart& piece) {
    joined.size.factor_bytes += piece.size.factor_bytes;
    joined.size.cb_bytes += piece.size.cb_bytes;
    ++num_pieces;
  };
  for (auto coming = coming_rows_.lower_bound({node, 0}); coming != coming_rows_.end() && coming->first.first == node;) {
    joined.shares = coming->second.shares;
    add(coming->second);
    coming = coming_rows_.erase(coming);
  }
  const TaskId task = context_.graph.task_of_front(node);
  if (finished_rows_.contains(node) || (task != kNoTask && parts_.contains({task, PartRole::slave}))) {
    add(finished_part(node, PartRole::slave));
  }
  if (num_pieces > 1) {
    memory_.charge(joined.size.factor_bytes);
    take_active(joined.size.cb_bytes);
    memory_.release(joined.size.factor_bytes);
    give_back_active(joined.size.cb_bytes);
  }
  place(node, PartRole::slave, joined);
}

}  // namespace frond
