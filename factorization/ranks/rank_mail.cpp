// SPDX-License-Identifier: BSD-3-Clause
// Encodes and counts the messages of a rank.
#include "factorization/ranks/rank_mail.hpp"

#include <algorithm>

namespace frond {
namespace {

// True if other ranks may wait for what follows from the message.
bool is_work(const MainMessage& message) {
  return !std::holds_alternative<PauseMessage>(message) && !std::holds_alternative<RestMessage>(message) &&
         !std::holds_alternative<StuckMessage>(message) && !std::holds_alternative<RecordMessage>(message);
}

}  // namespace

void RankMail::send(Rank to, const MainMessage& message, Count num_ghost_bytes) {
  if (to == outbox_.rank()) {
    own_.push_back(encode(message, record_));
    return;
  }
  num_sent_[to] += is_work(message) ? 1 : 0;
  outbox_.send(to, encode(message, record_), num_ghost_bytes);
}

void RankMail::send_to_others(const MainMessage& message) {
  for (Rank rank = 0; rank < outbox_.num_ranks(); ++rank) {
    if (rank != outbox_.rank()) {
      send(rank, message);
    }
  }
}

std::vector<std::byte> RankMail::take_own() {
  std::vector<std::byte> bytes = std::move(own_.front());
  own_.pop_front();
  return bytes;
}

std::optional<MainMessage> RankMail::open(Rank from, std::span<const std::byte> bytes) {
  if (record_of_main_message(bytes) > record_) {
    ++counts_.put_aside;
    later_.emplace_back(from, std::vector<std::byte>(bytes.begin(), bytes.end()));
    return std::nullopt;
  }
  MainMessage message = decode_main_message(bytes);
  num_received_ += is_work(message) ? 1 : 0;
  return message;
}

std::vector<RankMail::Letter> RankMail::begin_record(Index record) {
  record_ = record;
  std::fill(num_sent_.begin(), num_sent_.end(), 0);
  num_received_ = 0;
  return std::exchange(later_, {});
}

}  // namespace frond
