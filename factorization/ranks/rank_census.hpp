// SPDX-License-Identifier: BSD-3-Clause
// Lets rank 0 ask what all ranks are doing, to detect the end of a run or a deadlock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loadinfo/messages/channel.hpp"

namespace frond {

/// The state of one rank at one moment, after it has handled all messages that have arrived.
struct RankStatus {
  /// Plain values, so that they can be sent as they are.
  struct Numbers {
    bool has_ended = false;       ///< its program has ended
    bool is_idle = false;         ///< nothing is under way on it, and nothing waits for room in a channel
    bool has_lost_count = false;  ///< its load service has stopped: load messages to it are not received any more
    Count num_sent = 0;           ///< messages accepted for sending, on the main and the load channel
    Count num_received = 0;
    Count missing_bytes = 0;  ///< that it waits for others to free
  };

  Numbers numbers;
  std::string waits;  ///< what an idle rank waits for
};

/// Rank 0 asks, all ranks answer, and rank 0 decides, on a channel of its own. Two consecutive rounds in which every rank was idle
/// and as many messages had been received as sent, and between which no counter changed, prove that nothing will ever happen again
/// on any rank: activity in between would show in the second round (Mattern 1987, "Algorithms for distributed termination
/// detection", Distributed Computing 2: the four counters). If a count is lost, the run is over when all programs have ended.
class RankCensus {
 public:
  enum class Verdict : std::uint8_t {
    none,
    over,     ///< every program has ended, nothing is under way: all may return
    starved,  ///< some have not, for lack of memory
    deadlock  ///< some have not, though memory suffices
  };
  struct Outcome {
    Verdict verdict = Verdict::none;
    Rank starved_rank = -1;  ///< the lowest that lacks memory
    Count missing_bytes = 0;
  };

  explicit RankCensus(Channel& channel) : channel_(channel) {}

  /// Rank 0: begins a round unless one is under way.
  void begin_round(const RankStatus& mine);

  /// Handles the messages that have arrived, up to the verdict; `status()` is called when this rank is asked. Returns false if none
  /// has arrived. Messages after the verdict are left to the next census on this channel.
  template <class Status>
  bool handle_messages(Status status) {
    bool has_come = false;
    while (verdict() == Verdict::none) {
      const std::optional<ReceivedMessage> message = channel_.poll();
      if (!message) {
        break;
      }
      has_come = true;
      switch (kind_of(*message)) {
        case Kind::question:
          answer(status());
          break;
        case Kind::answer:
          take_answer(*message);
          break;
        case Kind::verdict:
          take_verdict(*message);
          break;
      }
    }
    return has_come;
  }

  [[nodiscard]] const Outcome& outcome() const { return outcome_; }
  [[nodiscard]] Verdict verdict() const { return outcome_.verdict; }   ///< eventually the same on every rank
  [[nodiscard]] const std::string& reason() const { return reason_; }  ///< of a deadlock: what each rank waits for

 private:
  enum class Kind : std::uint8_t { question, answer, verdict };

  [[nodiscard]] static Kind kind_of(const ReceivedMessage& message);
  void take_answer(const ReceivedMessage& message);
  void take_verdict(const ReceivedMessage& message);
  void answer(const RankStatus& mine);
  void judge();
  [[nodiscard]] Outcome conclude() const;
  [[nodiscard]] std::string describe_waits() const;
  template <class Value>
  void send(Rank to, Kind kind, const Value& value, std::string_view text);

  Channel& channel_;
  std::vector<RankStatus> statuses_;  // rank 0: of the round under way
  Rank num_missing_ = 0;              // rank 0: answers
  Count last_sum_ = -1;               // rank 0: of messages sent and received in the last round, if it was quiet; else -1
  Outcome outcome_;
  std::string reason_;
};

}  // namespace frond
