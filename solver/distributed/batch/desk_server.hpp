// SPDX-License-Identifier: BSD-3-Clause
// The first process of a batch serves the desks of all others.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "loadinfo/messages/channel.hpp"
#include "solver/distributed/batch/pool_desk.hpp"

namespace frond {

/// What the server asks of those around it.
struct DeskServerPort {
  /// The analysis as bytes, if there is one by now; empty while there is none.
  std::function<std::vector<std::byte>()> shared;
  /// Whether somebody knows that the process of that rank has ended.
  std::function<bool(Rank)> is_gone;
  bool must_meet = false;  ///< no message may be under way when the server returns: all that live are waited for
};

/// Nobody is waited for: what cannot be sent waits apart for each rank, and a rank that is heard of no more is missed by nobody.
/// Only at the end are there ranks to wait for: all, where the channel needs that; those who may still have results, after a
/// failure.
class DeskServer {
 public:
  /// All outlives this object.
  DeskServer(PoolDesk& desk, Channel& channel, DeskServerPort port);

  /// Returns when all is done or has failed, and the others have heard of it.
  void run();
  /// Handles what has come, and sends what can be sent. Returns whether anything has come.
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
