// SPDX-License-Identifier: BSD-3-Clause
// Sends questions, answers and the verdict.
#include "factorization/ranks/rank_census.hpp"

#include <cstring>
#include <tuple>
#include <utility>

#include "frond/error.hpp"
#include "loadinfo/messages/byte_stream.hpp"

namespace frond {
namespace {

constexpr std::size_t kMostReason = 1000;  // characters, beyond which no more ranks are named

// Returns the value after the kind, and the text after the value.
template <class Value>
std::pair<Value, std::string> content_of(const ReceivedMessage& message) {
  ByteReader reader(message.bytes());
  (void)reader.value<std::uint8_t>();
  const auto value = reader.value<Value>();
  const std::span<const std::byte> text = reader.rest();
  return {value, std::string(reinterpret_cast<const char*>(text.data()), text.size())};
}

}  // namespace

RankCensus::Kind RankCensus::kind_of(const ReceivedMessage& message) {
  const auto kind = message.bytes().empty() ? -1 : std::to_integer<int>(message.bytes().front());
  if (kind < 0 || kind > static_cast<int>(Kind::verdict)) {
    throw InternalError("a message by which ranks are counted is of the unknown kind " + std::to_string(kind) +
                        "; do all processes run the same Frond?");
  }
  return static_cast<Kind>(kind);
}

// Only one question, answer or verdict at a time is under way to a rank; a channel has room for these.
template <class Value>
void RankCensus::send(Rank to, Kind kind, const Value& value, std::string_view text) {
  ByteWriter writer;
  writer.value(kind);
  writer.value(value);
  writer.rest(std::as_bytes(std::span(text)));
  const std::vector<std::byte> bytes = writer.take();
  if (!channel_.send(to, std::span<const std::byte>(bytes))) {
    throw InternalError("the channel on which ranks are counted has no room for " + std::to_string(bytes.size()) + " bytes");
  }
}

void RankCensus::answer(const RankStatus& mine) { send(0, Kind::answer, mine.numbers, mine.waits); }

void RankCensus::begin_round(const RankStatus& mine) {
  if (num_missing_ > 0 || verdict() != Verdict::none) {
    return;
  }
  const Rank num_ranks = channel_.num_ranks();
  statuses_.assign(static_cast<std::size_t>(num_ranks), {});
  statuses_.front() = mine;
  num_missing_ = num_ranks - 1;
  for (Rank rank = 1; rank < num_ranks; ++rank) {
    send(rank, Kind::question, Outcome(), {});
  }
  if (num_missing_ == 0) {
    judge();
  }
}

void RankCensus::take_answer(const ReceivedMessage& message) {
  RankStatus& status = statuses_[message.from()];
  std::tie(status.numbers, status.waits) = content_of<RankStatus::Numbers>(message);
  if (--num_missing_ == 0) {
    judge();
  }
}

void RankCensus::take_verdict(const ReceivedMessage& message) { std::tie(outcome_, reason_) = content_of<Outcome>(message); }

void RankCensus::judge() {
  Count num_sent = 0;
  Count num_received = 0;
  bool is_quiet = true;
  bool is_over = true;
  bool is_count_lost = false;
  for (const RankStatus& status : statuses_) {
    num_sent += status.numbers.num_sent;
    num_received += status.numbers.num_received;
    is_quiet = is_quiet && status.numbers.is_idle;
    is_over = is_over && status.numbers.has_ended;
    is_count_lost = is_count_lost || status.numbers.has_lost_count;
  }
  const Count sum = is_quiet && num_sent == num_received ? num_sent + num_received : -1;
  const bool is_proof = is_count_lost ? is_over : sum >= 0 && sum == last_sum_;
  last_sum_ = sum;
  if (!is_proof) {
    return;
  }
  outcome_ = conclude();
  if (outcome_.verdict == Verdict::deadlock) {
    reason_ = describe_waits();
  }
  for (Rank rank = 1; rank < channel_.num_ranks(); ++rank) {
    send(rank, Kind::verdict, outcome_, reason_);
  }
}

// Returns the outcome for ranks on which nothing will happen any more.
RankCensus::Outcome RankCensus::conclude() const {
  bool is_over = true;
  for (std::size_t rank = 0; rank < statuses_.size(); ++rank) {
    const RankStatus::Numbers& numbers = statuses_[rank].numbers;
    if (!numbers.has_ended && numbers.missing_bytes > 0) {
      return {Verdict::starved, static_cast<Rank>(rank), numbers.missing_bytes};
    }
    is_over = is_over && numbers.has_ended;
  }
  return {is_over ? Verdict::over : Verdict::deadlock, -1, 0};
}

std::string RankCensus::describe_waits() const {
  std::string text;
  for (std::size_t rank = 0; rank < statuses_.size(); ++rank) {
    if (text.size() > kMostReason) {
      return text + "; and others";
    }
    text += (rank == 0 ? "rank " : "; rank ") + std::to_string(rank) + ' ' +
            (statuses_[rank].numbers.has_ended ? "has ended" : statuses_[rank].waits);
  }
  return text;
}

}  // namespace frond
