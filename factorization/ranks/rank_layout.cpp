// SPDX-License-Identifier: BSD-3-Clause
// Lays out the fronts of a rank in its engine: announcements, the choice of slaves, and the maps of rows.
#include <algorithm>
#include <cmath>

#include "factorization/ranks/rank_engine.hpp"
#include "frond/error.hpp"

namespace frond {

// Called when an own task is finished.
void RankEngine::announce(TaskId id) {
  const TaskId parent = context_.graph.task(id).parent;
  if (has_failed() || parent == kNoTask) {
    return;
  }
  num_outputs_left_ += context_.graph.task(id).may_move ? 1 : 0;
  const Rank to = parent_rank(id);
  const bool is_own = to == me();
  if (is_own && !fronts_.contains(parent)) {
    return;  // no other rank takes part in it
  }
  const ChildOutput output{id, me(), context_.parts.announce(id)};
  if (is_own) {
    child_known(output);
  } else {
    send(to, AnnounceMessage{output, context_.parts.right_sides_of(id)});
  }
}

void RankEngine::receive(Rank /*from*/, const AnnounceMessage& message) {
  if (!has_failed()) {
    if (!message.right_sides.empty()) {
      context_.parts.take_right_sides(message.output.task, message.right_sides);
    }
    child_known(message.output);
  }
}

void RankEngine::child_known(const ChildOutput& child) {
  const TaskId id = context_.graph.task(child.task).parent;
  GatheredFront& front = fronts_.at(id);
  std::vector<ChildOutput>& children = front.plan.children;
  children.push_back(child);
  if (--front.children_left == 0) {
    std::sort(children.begin(), children.end(), [](const ChildOutput& a, const ChildOutput& b) { return a.task < b.task; });
    children_known(id, front);
  }
}

// Stored fronts are known to all ranks from the beginning.
void RankEngine::stored_children_known() {
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    if (const Task& task = context_.graph.task(id);
        task.is_stored && context_.graph.task(task.parent).rank == me() && fronts_.contains(task.parent)) {
      child_known({id, task.rank, context_.parts.announce(id)});
    }
  }
}

// Fronts that a plan finds finished are announced to the ranks that continue with them.
void RankEngine::announce_held_tasks() {
  for (TaskId id = 0; id < context_.graph.num_tasks(); ++id) {
    const Task& task = context_.graph.task(id);
    if (task.is_held && task.rank == me() && !is_coming(task.node_begin, PartRole::master)) {
      announce(id);
    }
  }
}

void RankEngine::children_known(TaskId id, GatheredFront& front) {
  if (pause_.is_on && context_.graph.task(id).type != NodeType::row_distributed) {
    unlaid_.push_back(id);
    return;
  }
  switch (context_.graph.task(id).type) {
    case NodeType::row_distributed:
      undecided_.push_back(id);
      break;
    case NodeType::grid_distributed:
      parts_[{id, PartRole::master}];
      front.answers_left = context_.graph.root_grid().ranks.size();
      for (const Rank rank : context_.graph.root_grid().ranks) {
        send(rank, SlaveTaskMessage{front.plan});
      }
      break;
    case NodeType::sequential:
      lay_out(front);
      break;
  }
}

// Takes the next decision, once the view is good enough.
void RankEngine::advance_decisions() {
  if (undecided_.empty() || (pause_.is_on && !is_deciding_)) {
    return;
  }
  GatheredFront& front = fronts_.at(undecided_.front());
  const bool is_decided = context_.loads.with_exchange([&](LoadExchange& exchange) {
    if (!may_decide(exchange, front.plan.task)) {
      return false;
    }
    decide(exchange, front);
    return true;
  });
  if (is_decided) {
    is_deciding_ = false;
    undecided_.pop_front();
    ask_slaves(front);
  }
}

// Asks the load exchange for a decision, once, and returns whether it may be taken now.
bool RankEngine::may_decide(LoadExchange& exchange, TaskId id) {
  if (!is_deciding_) {
    if (exchange.is_blocked()) {
      return false;
    }
    const std::span<const Rank> candidates = context_.mapping.candidates(context_.graph.task(id).node_begin);
    std::vector<Rank> others;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(others), [this](Rank rank) { return rank != me(); });
    exchange.want_to_decide(others);
    is_deciding_ = true;
  }
  return exchange.may_decide();
}

void RankEngine::decide(LoadExchange& exchange, GatheredFront& front) {
  const Selection selection = choose_slaves(front, exchange);
  std::vector<Assignment> assignments;
  front.plan.shares.clear();
  for (const RowBlock& block : selection.blocks) {
    front.plan.shares.push_back({block.rank, block.row_begin, block.row_end});
    if (block.rank != me()) {
      assignments.push_back({block.rank, block.load});
    }
  }
  if (options_.watch_decision) {
    options_.watch_decision(exchange, assignments);
  }
  exchange.decide(assignments);
  ++counts_.decisions;
  counts_.slaves_chosen += static_cast<Count>(assignments.size());
  if (selection.blocks.empty()) {
    starved_[front.plan.task] = selection.missing_bytes;
  }
}

// Asks all chosen slaves; there are none if no choice has enough memory.
void RankEngine::ask_slaves(GatheredFront& front) {
  front.answers_left = front.plan.shares.size();
  front.accepted.clear();
  for (const RowShare& share : front.plan.shares) {
    send(share.rank, SlaveTaskMessage{front.plan});
  }
}

SharedFront RankEngine::shared_front(const FrontPlan& plan) const {
  const FrontSize size = front_size(context_.tree, context_.graph, plan);
  return {size.order, size.num_fully_summed, context_.method, context_.scalar_bytes};
}

// The master itself is a candidate: what it has to do for this front already counts.
Selection RankEngine::choose_slaves(const GatheredFront& front, const LoadExchange& exchange) const {
  std::vector<Load> view(exchange.view().begin(), exchange.view().end());
  view[static_cast<std::size_t>(me())].flops += context_.graph.task(front.plan.task).own_flops;
  SelectionOptions selection = options_.selection;
  if (options_.follows_paces) {
    selection.slowness = exchange.paces().slowness();
  }
  for (const auto& [rank, capacity] : front.refused) {
    selection.most_bytes[rank] = capacity.bytes;
  }
  const std::span<const Rank> candidates = context_.mapping.candidates(context_.graph.task(front.plan.task).node_begin);
  return select_slaves(shared_front(front.plan), candidates, view, selection);
}

void RankEngine::receive(Rank /*from*/, const SlaveTaskMessage& message) {
  if (has_failed()) {
    return;
  }
  const FrontPlan& plan = message.plan;
  if (context_.graph.task(plan.task).type == NodeType::grid_distributed) {
    accept_root_part(plan);
    return;
  }
  const FrontPart id{plan.task, PartRole::slave};
  const RowShare& share = share_of(plan.shares, me());
  const Load cost = block_load(shared_front(plan), share.row_begin, share.row_end);
  const Rank master = context_.graph.task(plan.task).rank;
  const Load reserved = master == me() ? Load{} : cost;
  const Count needed_bytes = context_.parts.bytes_to_expect(plan, id);
  const Count free_bytes = context_.parts.free_bytes();
  const bool is_accepted = needed_bytes <= free_bytes;
  context_.loads.with_exchange([&](LoadExchange& exchange) { exchange.task_arrived(is_accepted ? cost : Load{}, reserved); });
  if (is_accepted) {
    expect_part(plan, id, cost);
  } else {
    ++counts_.refusals;
    std::erase_if(refusals_, [&plan](const Refusal& one) { return one.task == plan.task; });
    refusals_.push_back({plan.task, free_bytes});
  }
  send(master, SlaveAnswerMessage{plan.task, is_accepted, needed_bytes, free_bytes});
}

RankEngine::Part& RankEngine::expect_part(const FrontPlan& plan, FrontPart id, Load cost) {
  const std::vector<SizedStream> streams = context_.parts.expect(plan, id);
  Part& part = parts_[id];
  part.cost = cost;
  for (const SizedStream& sized : streams) {
    if (!is_stored(sized)) {
      ++part.streams_left;
      expect(sized);
    }
  }
  return part;
}

// No other rank can take the part: a lack of memory is a failure. Loads are whole numbers, so that they add up to 0 in the end.
void RankEngine::accept_root_part(const FrontPlan& plan) {
  const FrontPart id{plan.task, PartRole::grid};
  const auto num_parts = static_cast<double>(context_.graph.root_grid().ranks.size());
  const Count bytes = context_.parts.bytes_to_expect(plan, id);
  const Load cost{std::floor(context_.graph.task(plan.task).cost.flops / num_parts), bytes};
  Part& part = expect_part(plan, id, cost);
  part.stands = true;
  context_.loads.with_exchange([&cost](LoadExchange& exchange) { exchange.vary(cost); });
  send(context_.graph.task(plan.task).rank, SlaveAnswerMessage{plan.task, true, bytes, context_.parts.free_bytes()});
  begin_if_complete(id, part);
}

// Reports every byte that becomes free to masters whose shares were refused, so that they never ask again in vain.
void RankEngine::tell_free_memory() {
  for (Refusal& refusal : refusals_) {
    if (const Count free_bytes = context_.parts.free_bytes(); free_bytes > refusal.told_bytes) {
      refusal.told_bytes = free_bytes;
      send(context_.graph.task(refusal.task).rank, FreeMemoryMessage{refusal.task, free_bytes});
    }
  }
  receive_local();
}

void RankEngine::receive(Rank from, const FreeMemoryMessage& message) {
  if (has_failed()) {
    return;
  }
  const auto found = fronts_.find(message.task);
  if (found == fronts_.end()) {
    return;  // others have taken the rows
  }
  const auto refused = found->second.refused.find(from);
  if (refused == found->second.refused.end()) {
    return;  // a pause has begun in between
  }
  Capacity& capacity = refused->second;
  capacity.bytes = static_cast<Count>(static_cast<double>(message.free_bytes) / capacity.overhead);
  if (starved_.erase(message.task) > 0) {
    undecided_.push_back(message.task);
  }
}

void RankEngine::receive(Rank /*from*/, const RefusalEndMessage& /*message*/) { --num_refusals_left_; }

Count RankEngine::missing_bytes() const {
  Count bytes = 0;
  for (const auto& [task, missing] : starved_) {
    bytes = std::max(bytes, missing);
  }
  return bytes;
}

// The next share is smaller by at least a quarter, whatever the estimates say.
void RankEngine::note_refusal(GatheredFront& front, Rank slave, const SlaveAnswerMessage& message) const {
  const RowShare& share = share_of(front.plan.shares, slave);
  const Count share_bytes = block_load(shared_front(front.plan), share.row_begin, share.row_end).bytes;
  Capacity& capacity = front.refused[slave];
  capacity.overhead = std::max(capacity.overhead, static_cast<double>(message.needed_bytes) / static_cast<double>(share_bytes));
  capacity.bytes =
      std::min(static_cast<Count>(static_cast<double>(message.free_bytes) / capacity.overhead), share_bytes - share_bytes / 4 - 1);
}

void RankEngine::receive(Rank from, const SlaveAnswerMessage& message) {
  if (has_failed()) {
    return;
  }
  GatheredFront& front = fronts_.at(message.task);
  if (!message.is_accepted) {
    note_refusal(front, from, message);
  } else {
    front.accepted.insert(from);
  }
  if (--front.answers_left > 0) {
    return;
  }
  if (context_.graph.task(message.task).type == NodeType::grid_distributed) {
    lay_out(front);
  } else {
    settle(front);
  }
}

// Called when all slaves have answered.
void RankEngine::settle(GatheredFront& front) {
  const TaskId task = front.plan.task;
  const bool is_settled = front.accepted.size() == front.plan.shares.size();
  std::set<Rank> concerned = front.accepted;
  if (is_settled) {
    std::for_each(front.refused.begin(), front.refused.end(), [&](const auto& one) { concerned.insert(one.first); });
    num_refusals_left_ += static_cast<Index>(front.refused.size());
  }
  for (const Rank slave : concerned) {
    send(slave, SettleMessage{task, is_settled});
  }
  if (!is_settled) {
    undecided_.push_back(task);
    return;
  }
  if (--num_undecided_ == 0) {
    no_more_master();
  }
  parts_[{task, PartRole::master}];
  lay_out(front);
}

void RankEngine::receive(Rank from, const SettleMessage& message) {
  if (has_failed()) {
    return;
  }
  const FrontPart id{message.task, PartRole::slave};
  if (message.stands && std::erase_if(refusals_, [&](const Refusal& one) { return one.task == message.task; }) > 0) {
    send(from, RefusalEndMessage{message.task});
  }
  const auto found = parts_.find(id);
  if (found == parts_.end()) {
    return;
  }
  Part& part = found->second;
  if (message.stands) {
    part.stands = true;
    begin_if_complete(id, part);
    return;
  }
  context_.loads.with_exchange([&part](LoadExchange& exchange) { exchange.vary(-part.cost); });
  context_.parts.cancel(id);
  std::erase_if(arriving_, [&id](const auto& arriving) { return arriving.second.stream.target == id; });
  parts_.erase(id);
}

// Sends every rank that holds rows of a child their destinations.
void RankEngine::lay_out(GatheredFront& front) {
  const TaskId id = front.plan.task;
  std::vector<SizedStream> streams;
  if (context_.graph.task(id).type != NodeType::grid_distributed) {
    streams = context_.parts.expect(front.plan, {id, PartRole::master});
  }
  front.streams_left = 1;
  Count num_bytes = 0;
  for (const SizedStream& sized : streams) {
    num_bytes += sized.num_bytes;
    if (!is_stored(sized)) {
      ++front.streams_left;
      expect(sized);
    }
  }
  engine_->on_expected(id, num_bytes);
  for_each_row_map(front.plan, [this, &front](const ChildOutput& child, const RowMap& map) {
    if (is_in_place(context_.graph, front.plan.master, child)) {
      num_outputs_left_ -= context_.graph.task(child.task).may_move ? 1 : 0;
      return;
    }
    if (context_.graph.task(child.task).is_stored) {
      return;
    }
    send(child.master, RowMapMessage{{child.task, PartRole::master}, map});
    for (const RowShare& share : child.announcement.shares) {
      send(share.rank, RowMapMessage{{child.task, PartRole::slave}, map});
    }
  });
  gathered_less(id, front);
}

// Called when one stream less is awaited, or the layout itself is done.
void RankEngine::gathered_less(TaskId id, GatheredFront& front) {
  if (--front.streams_left == 0) {
    fronts_.erase(id);
    engine_->on_gathered(id);
  }
}

}  // namespace frond
