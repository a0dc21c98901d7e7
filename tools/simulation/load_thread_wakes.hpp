// SPDX-License-Identifier: BSD-3-Clause
// When the load thread of each rank looks for messages.
#pragma once

#include <vector>

#include "loadinfo/load_service.hpp"
#include "loadinfo/wake_period.hpp"

namespace frond {

/// The thread looks, and sleeps as WakePeriod says. What wakes it besides, and the time that a look takes, are not known here.
class LoadThreadWakes {
 public:
  LoadThreadWakes(Rank num_ranks, const LoadServiceOptions& options);

  /// The time of the look that finds a message that comes to `rank` at this time. Not before an answer given earlier for the same
  /// rank, so that messages stay in order.
  [[nodiscard]] double look_for(Rank rank, double arrival_seconds);

 private:
  struct Thread {
    WakePeriod period;
    double look_seconds = 0;  // the last one that has to do with a message
    bool has_found = false;   // by that look
  };

  std::vector<Thread> threads_;  // [rank]
};

}  // namespace frond
