// SPDX-License-Identifier: BSD-3-Clause
// Signs of life: when to give one, and which rank has given none for too long.
#pragma once

#include <optional>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// One rank's judgement of all others. It knows no clock, thread or channel: it is told what is heard and how late it is.
///
/// Silence counts only while this rank itself looks: between two looks at most one interval. So a rank that was stopped, and finds
/// the signs of the others still to be read or their clocks stopped like its own, blames nobody.
class Heartbeat {
 public:
  /// `limit_seconds` > 0 of silence are a loss. `now`: seconds since some instant.
  Heartbeat(Rank rank, Rank num_ranks, double limit_seconds, double now);

  /// Seconds between two looks, at most; a sign of life is due every second one.
  [[nodiscard]] double interval() const { return limit_seconds_ / 8; }

  void heard_from(Rank rank) { silence_[static_cast<std::size_t>(rank)] = 0; }
  void said_goodbye(Rank rank) { is_watched_[static_cast<std::size_t>(rank)] = false; }  ///< it will give no more signs

  /// A look, after everything that has come was heard. True: a sign of life is due.
  [[nodiscard]] bool look(double now);

  [[nodiscard]] std::optional<Rank> lost_rank() const;  ///< the lowest that has been silent for the limit
  [[nodiscard]] bool watches_anybody() const;

 private:
  double limit_seconds_;
  double last_look_;
  double last_sign_;
  std::vector<double> silence_;   // [rank] = seconds
  std::vector<bool> is_watched_;  // [rank]
};

}  // namespace frond
