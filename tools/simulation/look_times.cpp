// SPDX-License-Identifier: BSD-3-Clause
// Computes polls in virtual time.
#include "tools/simulation/look_times.hpp"

#include <chrono>
#include <utility>

namespace frond {

void LookTimes::look(double seconds, bool has_found) {
  look_seconds_ = seconds;
  has_found_ = has_found;
}

double LookTimes::look_for(double arrival_seconds) {
  while (look_seconds_ < arrival_seconds) {
    const WakePeriod::Duration sleep = period_.after(std::exchange(has_found_, false));
    look_seconds_ += std::chrono::duration<double>(sleep).count() + delay_seconds_;
  }
  has_found_ = true;
  return look_seconds_;
}

void LookTimes::call_at_look_for(double arrival_seconds, EventClock& clock, EventClock::Call call) {
  const double look = look_for(arrival_seconds);
  if (std::exchange(call_seconds_, look) != look) {
    clock.call_at(look, std::move(call));
  }
}

}  // namespace frond
