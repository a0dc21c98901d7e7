// SPDX-License-Identifier: BSD-3-Clause
// Determines how long a thread sleeps between two polls for messages.
#pragma once

#include <algorithm>
#include <chrono>

namespace frond {

/// Starts at the shortest period, grows by a quarter at every poll that finds nothing, up to the longest, and returns to the
/// shortest when something happens. So a message waits no longer than a quarter of the preceding quiet time plus the shortest
/// period, and never longer than the longest.
class WakePeriod {
 public:
  using Duration = std::chrono::nanoseconds;

  /// 0 < shortest <= longest.
  WakePeriod(Duration shortest, Duration longest) : shortest_(shortest), longest_(longest), next_(shortest) {}

  /// Returns the sleep after a poll.
  [[nodiscard]] Duration after(bool something_happened) {
    const Duration sleep = something_happened ? shortest_ : next_;
    next_ = std::min(sleep + sleep / 4, longest_);
    return sleep;
  }

 private:
  Duration shortest_;
  Duration longest_;
  Duration next_;
};

}  // namespace frond
