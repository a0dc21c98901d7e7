// SPDX-License-Identifier: BSD-3-Clause
// The first process of a batch serves the desks of all others.
#pragma once

#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "loadinfo/messages/channel.hpp"
#include "solver/distributed/batch/pool_desk.hpp"

namespace frond {

/// What the server needs to know about its surroundings.
struct DeskServerPort {
  /// The analysis as bytes, or empty while it does not exist.
  std::function<std::vector<std::byte>()> shared;
  /// Whether the process of that rank is known to have ended.
  std::function<bool(Rank)> is_gone;
  bool must_meet = false;  ///< no message may be in transit when the server returns: it waits for all live ranks
};

/// Never blocks on a rank: messages that cannot be sent yet are queued for each rank, and a rank that falls silent is not missed.
/// Only at the end does it wait: for all ranks, if the channel needs that, or after a failure for those that may still have
/// results.
class DeskServer {
 public:
  /// The arguments must outlive this object.
  DeskServer(PoolDesk& desk, Channel& channel, DeskServerPort port);

  /// Returns when everything is done or has failed, and the others have been informed.
  void run();
  /// Handles received messages, and sends what can be sent. Returns whether a message arrived.
  bool turn();

 private:
  struct Partner {
    std::deque<std::vector<std::byte>> waiting;  // to be sent
    bool needs_shared = false;
    bool has_said_bye = false;
  };

  [[nodiscard]] bool hear();
  void handle(Rank from, std::span<const std::byte> bytes);
  void share();
  void tell_news();
  void begin_end();
  void pump();
  [[nodiscard]] bool is_waited_for(Rank rank) const;
  [[nodiscard]] bool is_done() const;

  PoolDesk& desk_;
  Channel& channel_;
  DeskServerPort port_;
  std::vector<Partner> partners_;  // [rank]
  bool is_ending_ = false;
  bool has_failed_ = false;
  double end_seconds_ = 0;  // when the end began
};

}  // namespace frond
