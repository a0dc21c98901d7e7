// SPDX-License-Identifier: BSD-3-Clause
// Runs all events on one actor.
#include "tools/simulation/event_clock.hpp"

#include <utility>

namespace frond {

namespace sg = simgrid::s4u;

EventClock::EventClock(sg::Host* host) : earlier_(sg::Semaphore::create(0)) {
  sg::Actor::create(kClockName, host, [this] { run(); })->daemonize();
}

void EventClock::call_at(double seconds, Call call) {
  const bool is_first = events_.empty() || seconds < events_.top().seconds;
  events_.push({seconds, num_events_++, std::move(call)});
  if (is_first) {
    earlier_->release();
  }
}

void EventClock::run() {
  while (true) {
    if (events_.empty()) {
      earlier_->acquire();
    } else if (const double wait = events_.top().seconds - sg::Engine::get_clock(); wait > 0) {
      static_cast<void>(earlier_->acquire_timeout(wait));
    } else {
      const Call call = events_.top().call;
      events_.pop();
      call();
    }
  }
}

}  // namespace frond
