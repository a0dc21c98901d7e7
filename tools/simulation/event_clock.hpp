// SPDX-License-Identifier: BSD-3-Clause
// Calls at given times of a simulation.
#pragma once

#include <functional>
#include <queue>
#include <simgrid/s4u.hpp>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// The name of its actor.
inline constexpr const char* kClockName = "clock";

/// For events so many that an actor or a flow for each would take too long to simulate. Calls must not block.
class EventClock {
 public:
  using Call = std::function<void()>;

  explicit EventClock(simgrid::s4u::Host* host);
  EventClock(const EventClock&) = delete;
  EventClock& operator=(const EventClock&) = delete;
  ~EventClock() = default;

  /// Calls at this time, or now if it is over; calls at the same time in the order in which they were asked for.
  void call_at(double seconds, Call call);
  [[nodiscard]] bool empty() const { return events_.empty(); }

 private:
  struct Event {
    double seconds;
    Count number;
    Call call;

    friend bool operator>(const Event& a, const Event& b) {
      return a.seconds != b.seconds ? a.seconds > b.seconds : a.number > b.number;
    }
  };

  void run();

  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Count num_events_ = 0;
  simgrid::s4u::SemaphorePtr earlier_;  // released when an event comes before all others
};

}  // namespace frond
