// SPDX-License-Identifier: BSD-3-Clause
// Sends parts of finished fronts to the ranks to which a plan gives them, and takes those that come.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "factorization/ranks/rank_layout.hpp"

namespace frond {

/// The moves of a record on one rank, while it continues to work.
class RankMoves : RankMachine {
 public:
  RankMoves(const RankMachine& shared, RankStreams& streams, RankLayout& layout)
      : RankMachine(shared), streams_(streams), layout_(layout) {}

  void receive(Rank from, const MoveMessage& message);

  void begin(const RecoveryPlan& plan);
  [[nodiscard]] bool is_coming(NodeId node, PartRole role) const;
  /// Returns the held tasks of the plan in force whose fronts are still to come, increasing.
  [[nodiscard]] std::vector<TaskId> coming_tasks() const;

  void send_pieces();  ///< while the channel has room
  void stop() { outgoing_.clear(); }
  [[nodiscard]] bool is_idle() const { return outgoing_.empty() && coming_.empty(); }

 private:
  struct Outgoing {
    MovedPart part;
    Count total_bytes = 0;
    Count offset = 0;
  };

  void send_next();
  [[nodiscard]] bool write(const Outgoing& move);
  void end(const MovedPart& part);
  void has_come(NodeId node, PartRole role);

  RankStreams& streams_;
  RankLayout& layout_;
  std::deque<Outgoing> outgoing_;
  std::string folder_;
  std::map<MovedPart, Count> coming_;  // = bytes that have arrived
};

}  // namespace frond
