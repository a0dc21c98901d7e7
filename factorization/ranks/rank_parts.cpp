// SPDX-License-Identifier: BSD-3-Clause
// Lets parts of fronts work in a rank's engine, and moves the rows of children to the parts of their parents.
#include <algorithm>
#include <iterator>

#include "factorization/distributed/relay.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "factorization/ranks/rank_engine.hpp"
#include "frond/error.hpp"

namespace frond {

// A panel for many slaves would occupy the link of its sender once per slave: instead, half of them get it from one of them, the
// other half from another, and so on. All messages from one part of a front to the same others take the same route, so that they
// stay in order.
void RankEngine::send_to_parts(TaskId task, const PartMessage& message) {
  const Count panel_bytes =
      Count{context_.tree.front_order(context_.graph.task(task).node_begin)} * kPanelWidth * context_.scalar_bytes;
  const FrontMessage front{{task, message.role}, me(), {}, message.num_ghost_bytes, *message.body};
  std::vector<Rank> others;
  std::copy_if(message.to.begin(), message.to.end(), std::back_inserter(others), [this](Rank rank) { return rank != me(); });
  if (others.size() < message.to.size()) {
    send(me(), front);
  }
  if (message.role == PartRole::slave && static_cast<Count>(others.size()) * panel_bytes > options_.relayed_bytes) {
    relay(others, front);
  } else {
    std::for_each(others.begin(), others.end(), [&](Rank to) { send(to, front, front.num_ghost_bytes); });
  }
}

void RankEngine::relay(std::span<const Rank> ranks, FrontMessage message) {
  for (const RelayBranch& branch : relay_branches(ranks)) {
    message.relays.assign(branch.relays.begin(), branch.relays.end());
    send(branch.to, message, message.num_ghost_bytes);
  }
}

void RankEngine::receive(Rank /*from*/, const FrontMessage& message) {
  if (!has_failed()) {
    relay(message.relays, message);
    parts_.at(message.part).mailbox.emplace_back(message.origin, std::vector<std::byte>(message.body.begin(), message.body.end()));
  } else if (message.part.role == PartRole::grid) {
    context_.parts.abandon_root();
  }
}

void RankEngine::begin_if_complete(FrontPart id, const Part& part) {
  if (part.stands && part.streams_left == 0) {
    context_.parts.begin(id);
  }
}

// While the channel is full no part takes another step, since its messages would pile up. Parts whose mailboxes fill meanwhile are
// at most PartWork::kPanelsAhead panels behind. But a rank of the root's grid must not wait for room when it is asked to enter,
// since others are waiting inside for it; the master's own rank sends the messages that ask them first.
void RankEngine::advance_parts() {
  for (auto& [id, part] : parts_) {
    const bool is_waited_for = id.role == PartRole::grid && context_.graph.task(id.task).rank != me();
    if (outbox_.empty() || is_waited_for) {
      advance(id, part);
    }
  }
}

void RankEngine::advance(FrontPart id, Part& part) {
  if (part.is_busy) {
    return;
  }
  if (!part.mailbox.empty()) {
    part.is_busy = true;
    auto& [from, body] = part.mailbox.front();
    context_.parts.step(id, from, std::move(body));  // if it throws, the message is still here for abandon_root()
    part.mailbox.pop_front();
  } else if (part.goes_on) {
    part.is_busy = true;
    context_.parts.go_on(id);
  }
}

void RankEngine::finish_part(FrontPart id) {
  const Load cost = parts_.at(id).cost;
  parts_.erase(id);
  if (id.role == PartRole::master) {
    announce(id.task);
    engine_->on_finished(id.task);
    return;
  }
  if (id.role == PartRole::grid) {
    context_.loads.with_exchange([&cost](LoadExchange& exchange) { exchange.vary(-cost); });
    return;
  }
  context_.loads.with_exchange([&cost](LoadExchange& exchange) { exchange.vary({-cost.flops, 0}); });
  held_bytes_[id] = cost.bytes;
  if (const auto row_map = row_maps_.find(id); row_map != row_maps_.end()) {
    send_rows(id, row_map->second);
    row_maps_.erase(row_map);
  }
}

void RankEngine::receive(Rank /*from*/, const RowMapMessage& message) {
  if (has_failed()) {
    return;
  }
  if (parts_.contains(message.part) || is_coming(context_.graph.task(message.part.task).node_begin, message.part.role)) {
    row_maps_[message.part] = message.map;
  } else {
    send_rows(message.part, message.map);
  }
}

void RankEngine::send_rows(FrontPart part, const RowMap& map) {
  const std::vector<SizedStream> streams =
      streams_from_part(context_.tree, context_.graph, part, me(), context_.parts.shares_of(part), map,
                        [this](const RowStream& stream) { return context_.parts.stream_bytes(stream); });
  streams_to_send_[part] = streams.size();
  for (const SizedStream& sized : streams) {
    outgoing_.push_back({sized});
  }
  if (streams.empty()) {
    sent(part);
  }
  pump();
}

void RankEngine::send_next_piece() {
  Outgoing& output = outgoing_.front();
  const RowStream stream = output.sized.stream;
  const Count num_bytes = std::min(options_.piece_bytes, output.sized.num_bytes - output.offset);
  std::vector<std::byte> piece(static_cast<std::size_t>(context_.parts.are_ghosts() ? 0 : num_bytes));
  context_.parts.read(stream, output.offset, piece);
  const RowsMessage message{stream.child, stream.source.role, stream.target.role, output.offset, num_bytes, piece};
  if (stream.to != me()) {
    send(stream.to, message, num_bytes - static_cast<Count>(piece.size()));
  }
  output.offset += num_bytes;
  if (output.offset == output.sized.num_bytes) {
    outgoing_.pop_front();
    if (--streams_to_send_.at(stream.source) == 0) {
      sent(stream.source);
    }
  }
  if (stream.to == me()) {
    receive(me(), message);
  }
}

// Called when all rows of a part have been sent.
void RankEngine::sent(FrontPart part) {
  streams_to_send_.erase(part);
  context_.parts.release(part);
  if (part.role == PartRole::master) {
    --num_outputs_left_;
    engine_->on_sent(part.task);
  } else {
    const Count bytes = held_bytes_.at(part);
    held_bytes_.erase(part);
    context_.loads.with_exchange([bytes](LoadExchange& exchange) { exchange.vary({0, -bytes}); });
  }
}

void RankEngine::expect(const SizedStream& sized) {
  const RowStream& stream = sized.stream;
  arriving_[{stream.child, stream.source.role, stream.from, stream.target.role}] = {stream, sized.num_bytes};
}

void RankEngine::receive(Rank from, const RowsMessage& message) {
  if (has_failed()) {
    return;
  }
  const auto found = arriving_.find({message.child, message.source, from, message.target});
  if (found == arriving_.end()) {
    throw InternalError("rank " + std::to_string(from) + " sends rows of node " + std::to_string(message.child) +
                        " that nobody expects");
  }
  Arriving& arriving = found->second;
  context_.parts.write(arriving.stream, message.offset, message.bytes);
  arriving.bytes_left -= message.num_bytes;
  if (arriving.bytes_left == 0) {
    const RowStream stream = arriving.stream;
    arriving_.erase(found);
    arrived(stream);
  }
}

void RankEngine::arrived(const RowStream& stream) {
  const TaskId id = stream.target.task;
  if (stream.target.role == PartRole::master) {
    gathered_less(id, fronts_.at(id));
  } else {
    Part& part = parts_.at(stream.target);
    --part.streams_left;
    begin_if_complete(stream.target, part);
  }
}

}  // namespace frond
