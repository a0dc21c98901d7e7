// SPDX-License-Identifier: BSD-3-Clause
// Tracks signs of life: when this rank must send one, and which rank has been silent for too long.
#pragma once

#include <optional>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// One rank's view of all others. It uses no clock, thread or channel: the caller reports the time and what was heard.
///
/// Silence counts only while this rank itself polls: between two polls, one interval at most. So a rank that was stopped blames
/// nobody when it finds unread signs of the others, or others that were stopped as well.
class Heartbeat {
 public:
  /// `limit_seconds` > 0 of silence count as a loss. `now`: seconds since some instant.
  Heartbeat(Rank rank, Rank num_ranks, double limit_seconds, double now);

  /// Longest time between two polls, in seconds; a sign of life is due at every second one.
  [[nodiscard]] double interval() const { return limit_seconds_ / 8; }

  void heard_from(Rank rank) { silence_[rank] = 0; }
  void said_goodbye(Rank rank) { is_watched_[rank] = false; }  ///< it will send no more signs

  /// Polls after all received signs were reported. Returns true if a sign of life is due.
  [[nodiscard]] bool look(double now);

  [[nodiscard]] std::optional<Rank> lost_rank() const;  ///< the lowest rank that has been silent for the limit
  [[nodiscard]] bool watches_anybody() const;

 private:
  double limit_seconds_;
  double last_look_;
  double last_sign_;
  std::vector<double> silence_;   // [rank] = seconds
  std::vector<bool> is_watched_;  // [rank]
};

}  // namespace frond
