// SPDX-License-Identifier: BSD-3-Clause
// Makes calls at given times of a simulation.
#pragma once

#include <functional>
#include <queue>
#include <simgrid/s4u.hpp>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// The name of the clock's actor.
inline constexpr const char* kClockName = "clock";

/// For events too many to simulate with an actor or a flow each. Calls must not block.
class EventClock {
 public:
  using Call = std::function<void()>;

  explicit EventClock(simgrid::s4u::Host* host);
  EventClock(const EventClock&) = delete;
  EventClock& operator=(const EventClock&) = delete;
  ~EventClock() = default;

  /// Makes the call at this time, or now if it has passed; calls at the same time run in the order in which they were requested.
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
  simgrid::s4u::SemaphorePtr earlier_;  // released when a new event is earlier than all others
};

}  // namespace frond
