// SPDX-License-Identifier: BSD-3-Clause
// The core of a simulated rank, on which computing takes time.
#pragma once

#include <cmath>
#include <simgrid/s4u.hpp>
#include <utility>

#include "tools/simulation/core_slowness.hpp"
#include "tools/simulation/event_clock.hpp"

namespace frond {

class SimulatedCore {
 public:
  /// `flops_per_second` are those at which the kernels were measured.
  SimulatedCore(CoreSlowness& slowness, EventClock& clock, double flops_per_second)
      : slowness_(slowness), clock_(clock), flops_per_second_(flops_per_second) {}

  /// An actor calls it and waits. `seconds` are for an undisturbed core. When its slowness changes, the rest continues with the new
  /// one.
  void compute(double seconds) {
    double flops = seconds * flops_per_second_;
    while (true) {
      const double now = simgrid::s4u::Engine::get_clock();
      const double factor = slowness_.factor(now);
      if (execute_until(flops * factor, slowness_.next_change(now))) {
        return;
      }
      flops = flops_left_ / factor;
    }
  }
  void abandon() { is_abandoned_ = true; }  ///< the actor is ended: nothing happens from now on
  [[nodiscard]] bool is_abandoned() const { return is_abandoned_; }

 private:
  // Returns true if everything was executed before the change; otherwise flops_left_ is the rest. The core may be shared with other
  // ranks, so only SimGrid knows the progress of an execution: the clock calls when it is time.
  [[nodiscard]] bool execute_until(double flops, double change_seconds) {
    if (std::isinf(change_seconds)) {
      simgrid::s4u::this_actor::execute(flops);
      return true;
    }
    if (std::exchange(awaited_change_, change_seconds) != change_seconds) {
      clock_.call_at(change_seconds, [this] { on_slowness_change(); });
    }
    flops_left_ = 0;
    execution_ = simgrid::s4u::this_actor::exec_init(flops);
    execution_->start();
    try {
      execution_->wait();
    } catch (const simgrid::CancelException&) {  // by on_slowness_change()
    }
    execution_ = nullptr;
    return flops_left_ <= 0;
  }

  // While SimGrid reports the progress of an execution, the rank may end and release it.
  void on_slowness_change() {
    const simgrid::s4u::ExecPtr execution = execution_;
    if (!execution || is_abandoned_) {
      return;
    }
    const double flops_left = execution->get_remaining();
    if (execution_ == execution && !is_abandoned_) {
      flops_left_ = flops_left;
      execution->cancel();
    }
  }

  CoreSlowness& slowness_;
  EventClock& clock_;
  double flops_per_second_;
  simgrid::s4u::ExecPtr execution_;  // while the slowness may change; otherwise null
  double flops_left_ = 0;            // of an execution that a change has ended
  double awaited_change_ = 0;        // the last one requested from the clock
  bool is_abandoned_ = false;
};

}  // namespace frond
