// SPDX-License-Identifier: BSD-3-Clause
// Sends rows where the maps of parents send them, and writes those that arrive.
#include "factorization/ranks/rank_streams.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

Count sum_of(const std::map<FrontPart, Count>& held) {
  return std::accumulate(held.begin(), held.end(), Count{0}, [](Count sum, const auto& one) { return sum + one.second; });
}

}  // namespace

void RankStreams::receive(Rank /*from*/, const RowMapMessage& message) {
  if (host_.is_finished(message.part)) {
    send_rows(message.part, message.map);
  } else {
    row_maps_[message.part] = message.map;
  }
}

// Stored fronts are read where they are needed.
std::size_t RankStreams::expect(std::span<const SizedStream> streams) {
  std::size_t num_coming = 0;
  for (const auto& [stream, num_bytes] : streams) {
    if (!task_of(stream.source.task).is_stored) {
      ++num_coming;
      arriving_[{stream.child, stream.source.role, stream.from, stream.target.role}] = {stream, num_bytes};
    }
  }
  return num_coming;
}

void RankStreams::forget(FrontPart target) {
  std::erase_if(arriving_, [&target](const auto& arriving) { return arriving.second.stream.target == target; });
}

void RankStreams::hold(FrontPart part, Count bytes) {
  held_bytes_[part] = bytes;
  if (const auto map = row_maps_.find(part); map != row_maps_.end()) {
    send_rows(part, map->second);
    row_maps_.erase(map);
  }
}

Count RankStreams::held_bytes(FrontPart part) const {
  const auto held = held_bytes_.find(part);
  return held == held_bytes_.end() ? 0 : held->second;
}

void RankStreams::drop_held(FrontPart part) {
  if (const auto held = held_bytes_.find(part); held != held_bytes_.end()) {
    const Count bytes = held->second;
    held_bytes_.erase(held);
    vary({0, -bytes});
  }
}

void RankStreams::restart(std::map<FrontPart, Count> held) {
  const Count change = sum_of(held) - sum_of(held_bytes_);
  held_bytes_ = std::move(held);
  streams_to_send_.clear();
  num_outputs_left_ = 0;
  vary({0, change});
}

void RankStreams::send_rows(FrontPart part, const RowMap& map) {
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
  host_.send_waiting();
}

void RankStreams::send_pieces() {
  while (mail_.has_room() && !outgoing_.empty()) {
    send_piece();
  }
}

void RankStreams::send_piece() {
  Outgoing& output = outgoing_.front();
  const RowStream stream = output.sized.stream;
  const Count num_bytes = std::min(options_.piece_bytes, output.sized.num_bytes - output.offset);
  std::vector<std::byte> piece(static_cast<std::size_t>(context_.parts.are_ghosts() ? 0 : num_bytes));
  context_.parts.read(stream, output.offset, piece);
  const RowsMessage message{stream.child, stream.source.role, stream.target.role, output.offset, num_bytes, piece};
  const bool is_own = stream.to == me();
  if (!is_own) {
    mail_.send(stream.to, message, num_bytes - static_cast<Count>(piece.size()));
  }
  output.offset += num_bytes;
  if (output.offset == output.sized.num_bytes) {
    outgoing_.pop_front();
    if (--streams_to_send_.at(stream.source) == 0) {
      sent(stream.source);
    }
  }
  if (is_own) {
    receive(stream.to, message);
  }
}

// Called when all rows of a part have been sent.
void RankStreams::sent(FrontPart part) {
  streams_to_send_.erase(part);
  context_.parts.release(part);
  if (part.role == PartRole::master) {
    --num_outputs_left_;
    tasks_->on_sent(part.task);
  } else {
    drop_held(part);
  }
}

void RankStreams::receive(Rank from, const RowsMessage& message) {
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
    host_.on_arrived(stream);
  }
}

}  // namespace frond
