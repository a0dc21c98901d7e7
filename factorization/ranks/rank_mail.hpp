// SPDX-License-Identifier: BSD-3-Clause
// Sends the main messages of one rank, to others and to itself, and counts them.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "factorization/ranks/main_message.hpp"
#include "factorization/ranks/rank_engine_counts.hpp"
#include "loadinfo/messages/outbox.hpp"

namespace frond {

/// The messages of a rank since the last record: the plan in force. A message of a later record waits until this rank has it, too.
/// What all have sent to each other and received shows rank 0 whether messages are under way; those that bring about a record do
/// not count.
class RankMail {
 public:
  using Letter = std::pair<Rank, std::vector<std::byte>>;  // sender, bytes

  RankMail(Channel& channel, RankEngineCounts& counts)
      : outbox_(channel), counts_(counts), num_sent_(static_cast<std::size_t>(channel.num_ranks()), 0) {}

  /// Messages to this rank itself wait for take_own().
  void send(Rank to, const MainMessage& message, Count num_ghost_bytes = 0);
  void send_to_others(const MainMessage& message);
  void pump() { outbox_.pump(); }
  [[nodiscard]] bool has_room() const { return outbox_.empty(); }  ///< no message waits for the channel
  [[nodiscard]] Count num_waiting() const { return outbox_.size(); }
  [[nodiscard]] Outbox& outbox() { return outbox_; }

  [[nodiscard]] bool has_own() const { return !own_.empty(); }
  [[nodiscard]] std::vector<std::byte> take_own();  ///< the first message to this rank itself

  /// Decodes what another rank has sent. Returns nothing, and keeps a copy, if it belongs to a later record.
  [[nodiscard]] std::optional<MainMessage> open(Rank from, std::span<const std::byte> bytes);

  /// Begins a record, and returns the messages that have been kept, which may now be opened.
  [[nodiscard]] std::vector<Letter> begin_record(Index record);
  [[nodiscard]] Index record() const { return record_; }                          ///< number of the plan; 0: none yet
  [[nodiscard]] const std::vector<Count>& num_sent() const { return num_sent_; }  ///< [rank], since the record
  [[nodiscard]] Count num_received() const { return num_received_; }              ///< likewise

 private:
  Outbox outbox_;
  RankEngineCounts& counts_;
  std::deque<std::vector<std::byte>> own_;
  std::vector<Letter> later_;
  std::vector<Count> num_sent_;
  Count num_received_ = 0;
  Index record_ = 0;
};

}  // namespace frond
