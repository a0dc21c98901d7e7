// SPDX-License-Identifier: BSD-3-Clause
// Computes when a thread that sleeps between its polls polls for messages.
#pragma once

#include "loadinfo/messages/wake_period.hpp"
#include "tools/simulation/event_clock.hpp"

namespace frond {

/// The polls of one thread in virtual time: it sleeps as WakePeriod says, and a little longer each time.
class LookTimes {
 public:
  /// The first poll is at 0. `delay_seconds` is added to every sleep.
  explicit LookTimes(WakePeriod period, double delay_seconds = 0) : period_(period), delay_seconds_(delay_seconds) {}

  /// The thread was woken and polls now; `has_found`: it found what it waits for.
  void look(double seconds, bool has_found);

  /// Returns the time of the poll that finds what arrives at this time: the first one that is not earlier than it, or than an
  /// answer given since the last look().
  [[nodiscard]] double look_for(double arrival_seconds);
  /// Requests the call for then, unless the last request was for the same time.
  void call_at_look_for(double arrival_seconds, EventClock& clock, EventClock::Call call);

 private:
  WakePeriod period_;
  double delay_seconds_;
  double look_seconds_ = 0;  // the last known poll
  bool has_found_ = false;   // by that poll
  double call_seconds_ = 0;  // of the last call requested from the clock
};

}  // namespace frond
