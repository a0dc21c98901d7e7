// SPDX-License-Identifier: BSD-3-Clause
// Counts the seconds of silence of each rank.
#include "loadinfo/messages/heartbeat.hpp"

#include <algorithm>

namespace frond {

Heartbeat::Heartbeat(Rank rank, Rank num_ranks, double limit_seconds, double now)
    : limit_seconds_(limit_seconds),
      last_look_(now),
      last_sign_(now - limit_seconds),
      silence_(static_cast<std::size_t>(num_ranks), 0),
      is_watched_(static_cast<std::size_t>(num_ranks), true) {
  is_watched_[rank] = false;
}

bool Heartbeat::look(double now) {
  const double elapsed = std::min(now - last_look_, interval());
  last_look_ = now;
  for (double& silence : silence_) {
    silence += elapsed;
  }
  const bool is_due = now - last_sign_ >= 2 * interval();
  if (is_due) {
    last_sign_ = now;
  }
  return is_due;
}

std::optional<Rank> Heartbeat::lost_rank() const {
  for (std::size_t rank = 0; rank < silence_.size(); ++rank) {
    if (is_watched_[rank] && silence_[rank] >= limit_seconds_) {
      return static_cast<Rank>(rank);
    }
  }
  return std::nullopt;
}

bool Heartbeat::watches_anybody() const { return std::find(is_watched_.begin(), is_watched_.end(), true) != is_watched_.end(); }

}  // namespace frond
