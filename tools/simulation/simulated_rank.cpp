// SPDX-License-Identifier: BSD-3-Clause
// The event loop, as that of rank_driver.cpp, in virtual time.
#include "tools/simulation/simulated_rank.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "factorization/ranks/rank_driver.hpp"

namespace frond {
namespace {

namespace sg = simgrid::s4u;

RankEngineOptions engine_options(const SimulatedProblem& problem, Rank rank) {
  RankEngineOptions options = problem.engine;
  options.tasks.rank = rank;
  options.planned_peak_bytes = problem.planned_peak_bytes[static_cast<std::size_t>(rank)];
  return options;
}

WakePeriod loop_period() { return {RankDriverOptions().shortest_period, RankDriverOptions().longest_period}; }

WakePeriod thread_period(const SimulationOptions& options) {
  const std::chrono::microseconds shortest(options.load_period_us);
  return {shortest, std::max(LoadServiceOptions().longest_period, shortest)};
}

}  // namespace

SimulatedRank::SimulatedRank(const SimulatedProblem& problem, Channel& main, Channel& load, EventClock& clock, Rank rank)
    : problem_(problem),
      main_(main),
      fronts_({problem.system.symbolic->tree(), problem.graph, problem.system.method, problem.system.scalar_bytes,
               problem.system.real_bytes, rank, ghost_costs(problem.options.costs), jobs_, &problem.system.symbolic->entries()},
              problem.options.memory_limit),
      loads_(load, problem.exchange, [] { return sg::Engine::get_clock(); }),
      engine_({problem.system.symbolic->tree(), problem.system.method, problem.system.scalar_bytes, problem.graph, problem.mapping,
               fronts_, fronts_, main_, loads_},
              engine_options(problem, rank)),
      posted_(calls_, engine_),
      clock_(clock),
      loop_looks_(loop_period(), problem.options.costs.wake_seconds.value_or(0)),
      thread_looks_(thread_period(problem.options)) {
  fronts_.set_events(posted_);
}

void SimulatedRank::run() {
  actor_ = sg::Actor::self();
  engine_.start();
  while (!engine_.ended()) {
    const bool has_handled = handle_events();
    has_happened_ = has_happened_ || has_handled || !jobs_.empty();
    if (!jobs_.empty()) {
      run_job(jobs_.take());
    } else if (!has_handled) {
      sleep();
    }
  }
}

bool SimulatedRank::handle_events() {
  bool has_handled = handle_load_messages();
  has_handled = calls_.make_calls() || has_handled;
  has_handled = engine_.on_load_event() || has_handled;
  while (const std::optional<ReceivedMessage> message = main_.poll()) {
    compute(problem_.options.costs.seconds_per_message);
    engine_.on_message(*message);
    has_handled = true;
  }
  pay_for_message_bytes();
  return has_handled;
}

// Packing, copying and unpacking of what has been sent and has come since this was called last.
void SimulatedRank::pay_for_message_bytes() {
  const Count bytes = main_.counts().sent.bytes + main_.counts().received.bytes;
  const Count unpaid = bytes - std::exchange(message_bytes_paid_, bytes);
  if (unpaid > 0 && problem_.options.costs.seconds_per_message_byte > 0) {
    compute(static_cast<double>(unpaid) * problem_.options.costs.seconds_per_message_byte);
  }
}

// Those that no thread has found cost the loop its time.
bool SimulatedRank::handle_load_messages() {
  const int num_served = loads_.serve();
  if (num_served > 0) {
    thread_looks_.look(sg::Engine::get_clock(), true);
    compute(num_served * problem_.options.costs.seconds_per_message);
  }
  return num_served > 0;
}

void SimulatedRank::run_job(const JobQueue::Item& item) {
  const double begin = sg::Engine::get_clock();
  try {
    while (const std::optional<double> seconds = item.job()) {
      compute(*seconds);
    }
  } catch (const simgrid::ForcefulKillException&) {
    throw;
  } catch (...) {
    engine_.fail(std::current_exception());
  }
  const double end = sg::Engine::get_clock();
  busy_seconds_ += end - begin;
  if (problem_.options.records_work && end > begin) {
    work_.push_back({begin, end, item.part});
  }
}

// Seconds of a core that has nothing else to do, and the speed that the kernels were measured on.
void SimulatedRank::compute(double seconds) const {
  const auto slowness = problem_.options.machine.slowness.find(main_.rank());
  sg::this_actor::execute(seconds * problem_.options.costs.largest_rate() *
                          (slowness == problem_.options.machine.slowness.end() ? 1 : slowness->second));
}

// The loop looks for messages now and then, the less often the longer it has been idle. Load messages wake it.
void SimulatedRank::sleep() {
  loop_looks_.look(sg::Engine::get_clock(), std::exchange(has_happened_, false));
  was_woken_by_load_ = false;
  is_asleep_ = true;
  sg::this_actor::suspend();
  const std::optional<double> delay = problem_.options.costs.wake_seconds;
  if (!delay) {
    return;
  }
  if (was_woken_by_load_) {
    sg::this_actor::sleep_for(*delay);
  } else {
    sg::this_actor::sleep_until(loop_looks_.look_for(sg::Engine::get_clock()));
  }
}

void SimulatedRank::on_main_message() { wake(); }

// A loop that is busy looks when it has done what it is doing, without being called.
void SimulatedRank::on_load_message() {
  if (!problem_.options.use_load_thread) {
    wake();
    return;
  }
  const double now = sg::Engine::get_clock();
  const double thread_look = thread_looks_.look_for(now);
  if (std::exchange(thread_look_, thread_look) != thread_look) {
    clock_.call_at(thread_look, [this] { serve_as_thread(); });
  }
  if (is_asleep_) {
    const double loop_look = loop_looks_.look_for(now);
    if (std::exchange(loop_look_, loop_look) != loop_look) {
      clock_.call_at(loop_look, [this] { wake(); });
    }
  }
}

void SimulatedRank::serve_as_thread() {
  bool has_served = false;
  while (loads_.serve() > 0) {
    has_served = true;
  }
  if (has_served) {
    thread_looks_.look(sg::Engine::get_clock(), true);
    was_woken_by_load_ = true;
    wake();
  }
}

void SimulatedRank::wake() {
  if (std::exchange(is_asleep_, false)) {
    actor_->resume();
  }
}

SimulatedRankCounts SimulatedRank::counts() const {
  SimulatedRankCounts counts;
  counts.busy_seconds = busy_seconds_;
  counts.flops = fronts_.flops();
  counts.peak_bytes = fronts_.peak_bytes();
  counts.peak_active_bytes = fronts_.peak_active_bytes();
  counts.main_messages = main_.counts();
  const LoadServiceCounts loads = loads_.counts();
  counts.load_messages = loads.sent;
  counts.snapshot_seconds = loads.blocked_seconds;
  counts.num_decisions = engine_.counts().decisions;
  counts.num_slaves = engine_.counts().slaves_chosen;
  counts.num_refusals = engine_.counts().refusals;
  counts.work = work_;
  return counts;
}

}  // namespace frond
