// SPDX-License-Identifier: BSD-3-Clause
// When a thread that sleeps between its looks looks for messages.
#pragma once

#include "loadinfo/messages/wake_period.hpp"

namespace frond {

/// The looks of one thread in virtual time: it sleeps as WakePeriod says, and a little longer each time.
class LookTimes {
 public:
  /// Looks at 0. `delay_seconds`: that a sleep lasts longer than it should.
  explicit LookTimes(WakePeriod period, double delay_seconds = 0) : period_(period), delay_seconds_(delay_seconds) {}

  /// It was woken and looks now; `has_found`: something that it waits for.
  void look(double seconds, bool has_found);

  /// The look that finds what comes at this time: the first one that is not earlier, nor before an answer given since the last
  /// look().
  [[nodiscard]] double look_for(double arrival_seconds);

 private:
  WakePeriod period_;
  double delay_seconds_;
  double look_seconds_ = 0;  // the last one that is known
  bool has_found_ = false;   // by that look
};

}  // namespace frond
