// SPDX-License-Identifier: BSD-3-Clause
// Accepts parts, passes them messages, and lets them take their steps.
#include "factorization/ranks/rank_parts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "factorization/distributed/relay.hpp"
#include "factorization/kernels/rank_update.hpp"

namespace frond {

void RankParts::receive(Rank /*from*/, const SlaveTaskMessage& message) {
  if (task_of(message.plan.task).type == NodeType::grid_distributed) {
    accept_root_part(message.plan);
  } else if (!answer(message.plan)) {
    waiting_.push_back(message.plan);
  }
}

// Masters that ask the same ranks at the same time could take turns for ever in refusing each other: each holds, for the time of
// its question, what the other lacks. So the earlier front waits for the answer to the later one, which never waits for it.
bool RankParts::answer(const FrontPlan& plan) {
  const FrontPart id{plan.task, PartRole::slave};
  const Count needed_bytes = context_.parts.bytes_to_expect(plan, id);
  const Count free_bytes = context_.parts.free_bytes();
  const bool is_accepted = needed_bytes <= free_bytes;
  if (!is_accepted && may_regain_memory(plan.task)) {
    return false;
  }
  const RowShare& share = share_of(plan.shares, me());
  const Load cost = block_load(context_.shared_front(plan), share.row_begin, share.row_end);
  const Rank master = task_of(plan.task).rank;
  const Load reserved = master == me() ? Load{} : cost;
  context_.loads.with_exchange([&](LoadExchange& exchange) { exchange.task_arrived(is_accepted ? cost : Load{}, reserved); });
  if (is_accepted) {
    expect(plan, id, cost);
  } else {
    ++counts_.refusals;
    std::erase_if(refusals_, [&plan](const Refusal& one) { return one.task == plan.task; });
    refusals_.push_back({plan.task, free_bytes});
  }
  mail_.send(master, SlaveAnswerMessage{plan.task, is_accepted, needed_bytes, free_bytes});
  return true;
}

// True if a later front holds memory here that it gives back when another of its slaves refuses.
bool RankParts::may_regain_memory(TaskId task) const {
  return std::any_of(parts_.begin(), parts_.end(), [task](const auto& one) {
    const auto& [id, part] = one;
    return id.role == PartRole::slave && id.task > task && !part.stands;
  });
}

RankParts::Part& RankParts::expect(const FrontPlan& plan, FrontPart id, Load cost) {
  const std::vector<SizedStream> streams = context_.parts.expect(plan, id);
  Part& part = parts_[id];
  part.cost = cost;
  part.streams_left += streams_.expect(streams);
  return part;
}

// No other rank can take the part: a lack of memory is a failure. Loads are whole numbers, so that they add up to 0 in the end.
void RankParts::accept_root_part(const FrontPlan& plan) {
  const FrontPart id{plan.task, PartRole::grid};
  const auto num_parts = static_cast<double>(context_.graph.root_grid().ranks.size());
  const Count bytes = context_.parts.bytes_to_expect(plan, id);
  const Load cost{std::floor(task_of(plan.task).cost.flops / num_parts), bytes};
  Part& part = expect(plan, id, cost);
  part.stands = true;
  vary(cost);
  mail_.send(task_of(plan.task).rank, SlaveAnswerMessage{plan.task, true, bytes, context_.parts.free_bytes()});
  begin_if_complete(id, part);
}

// Reports every byte that becomes free to masters whose shares were refused, so that they never ask again in vain.
void RankParts::report_free_memory() {
  for (Refusal& refusal : refusals_) {
    if (const Count free_bytes = context_.parts.free_bytes(); free_bytes > refusal.reported_bytes) {
      refusal.reported_bytes = free_bytes;
      mail_.send(task_of(refusal.task).rank, FreeMemoryMessage{refusal.task, free_bytes});
    }
  }
}

void RankParts::receive(Rank from, const SettleMessage& message) {
  if (message.stands && std::erase_if(refusals_, [&](const Refusal& one) { return one.task == message.task; }) > 0) {
    mail_.send(from, RefusalEndMessage{message.task});
  }
  settle({message.task, PartRole::slave}, message.stands);
  std::erase_if(waiting_, [this](const FrontPlan& plan) { return answer(plan); });
}

void RankParts::settle(FrontPart id, bool stands) {
  const auto found = parts_.find(id);
  if (found == parts_.end()) {
    return;
  }
  Part& part = found->second;
  if (stands) {
    part.stands = true;
    begin_if_complete(id, part);
    return;
  }
  vary(-part.cost);
  context_.parts.cancel(id);
  streams_.forget(id);
  parts_.erase(id);
}

void RankParts::receive(Rank /*from*/, const FrontMessage& message) {
  relay(message.relays, message);
  parts_.at(message.part).mailbox.emplace_back(message.origin, std::vector<std::byte>(message.body.begin(), message.body.end()));
}

void RankParts::on_arrived(FrontPart target) {
  Part& part = parts_.at(target);
  --part.streams_left;
  begin_if_complete(target, part);
}

void RankParts::begin_if_complete(FrontPart id, const Part& part) {
  if (part.stands && part.streams_left == 0) {
    context_.numerics.begin(id);
  }
}

// While the channel is full no part takes another step, since its messages would pile up. Parts whose mailboxes fill meanwhile are
// at most PartWork::kPanelsAhead panels behind. But a rank of the root's grid must not wait for room when it is asked to enter,
// since others are waiting inside for it; the master's own rank sends the messages that ask them first.
void RankParts::advance() {
  for (auto& [id, part] : parts_) {
    const bool is_waited_for = id.role == PartRole::grid && task_of(id.task).rank != me();
    if (mail_.has_room() || is_waited_for) {
      advance(id, part);
    }
  }
}

void RankParts::advance(FrontPart id, Part& part) {
  if (part.is_busy) {
    return;
  }
  if (!part.mailbox.empty()) {
    part.is_busy = true;
    auto& [from, body] = part.mailbox.front();
    context_.numerics.step(id, from, std::move(body));  // if it throws, the message is still here for abandon_root()
    part.mailbox.pop_front();
  } else if (part.goes_on) {
    part.is_busy = true;
    context_.numerics.go_on(id);
  }
}

bool RankParts::on_step(FrontPart id, const PartStep& step) {
  Part& part = parts_.at(id);
  part.is_busy = false;
  part.goes_on = step.goes_on;
  for (const PartMessage& message : step.messages) {
    send_to_parts(id.task, message);
  }
  if (step.finished) {
    finish(id);
  }
  return step.finished;
}

void RankParts::finish(FrontPart id) {
  const Load cost = parts_.at(id).cost;
  parts_.erase(id);
  if (id.role == PartRole::grid) {
    vary(-cost);
  } else if (id.role == PartRole::slave) {
    vary({-cost.flops, 0});
    streams_.hold(id, cost.bytes);
  }
}

// A panel for many slaves would occupy the link of its sender once per slave: instead, half of them get it from one of them, the
// other half from another, and so on. All messages from one part of a front to the same others take the same route, so that they
// stay in order.
void RankParts::send_to_parts(TaskId task, const PartMessage& message) {
  const Count panel_bytes = Count{context_.tree.front_order(task_of(task).node_begin)} * kPanelWidth * context_.scalar_bytes;
  const FrontMessage front{{task, message.role}, me(), {}, message.num_ghost_bytes, *message.body};
  std::vector<Rank> others;
  std::copy_if(message.to.begin(), message.to.end(), std::back_inserter(others), [this](Rank rank) { return rank != me(); });
  if (others.size() < message.to.size()) {
    mail_.send(me(), front);
  }
  if (message.role == PartRole::slave && static_cast<Count>(others.size()) * panel_bytes > options_.relayed_bytes) {
    relay(others, front);
  } else {
    std::for_each(others.begin(), others.end(), [&](Rank to) { mail_.send(to, front, front.num_ghost_bytes); });
  }
}

void RankParts::relay(std::span<const Rank> ranks, FrontMessage message) {
  for (const RelayBranch& branch : relay_branches(ranks)) {
    message.relays.assign(branch.relays.begin(), branch.relays.end());
    mail_.send(branch.to, message, message.num_ghost_bytes);
  }
}

void RankParts::abandon_root() {
  for (const auto& [id, part] : parts_) {
    if (id.role == PartRole::grid && !part.mailbox.empty()) {
      context_.numerics.abandon_root();
    }
  }
}

}  // namespace frond
