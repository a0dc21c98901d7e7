// SPDX-License-Identifier: BSD-3-Clause
// Implements the event loop of rank_driver.cpp in virtual time.
#include "tools/simulation/simulated_rank.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "analysis/mapping/mapping_estimate.hpp"
#include "factorization/ranks/rank_driver.hpp"
#include "loadinfo/load_service.hpp"

namespace frond {
namespace {

namespace sg = simgrid::s4u;

RankEngineOptions engine_options(const SimulatedProblem& problem, Rank rank) {
  RankEngineOptions options = problem.engine;
  options.tasks.rank = rank;
  options.planned_peak_bytes = problem.planned_peak_bytes[rank];
  return options;
}

WakePeriod loop_period() { return {RankDriverOptions().shortest_period, RankDriverOptions().longest_period}; }

WakePeriod thread_period(const SimulationOptions& options) {
  const std::chrono::microseconds shortest(options.load_period_us);
  return {shortest, std::max(LoadServiceOptions().longest_period, shortest)};
}

}  // namespace

void SimulatedMoveFiles::write(const std::string& /*path*/, Count total_bytes, const Read& /*read*/) {
  constexpr double kSecondsPerFile = 2.5e-4;  // docs/resilience.md: for an empty file
  sg::this_actor::sleep_for(kSecondsPerFile);
  disk_->write(static_cast<sg_size_t>(total_bytes));
}

void SimulatedMoveFiles::read(const std::string& /*path*/, Count total_bytes, const Write& /*write*/) {
  disk_->read(static_cast<sg_size_t>(total_bytes));
}

SimulatedRank::SimulatedRank(const SimulatedProblem& problem, const SimulatedPorts& ports, Rank rank)
    : problem_(problem),
      own_(problem.options.drains.empty() ? std::nullopt : std::optional(OwnPlan{problem.mapping, problem.graph})),
      main_(ports.main),
      log_(ports.log),
      fronts_(
          {problem.system.symbolic->tree(), graph(), problem.system.method, problem.system.scalar_bytes, problem.system.real_bytes,
           rank, problem.options.costs.of_fronts, jobs_, &problem.system.symbolic->entries(), ports.log},
          problem.options.memory_limit),
      loads_(ports.load, problem.exchange, [] { return sg::Engine::get_clock(); }),
      move_files_(ports.disk),
      engine_({problem.system.symbolic->tree(), problem.system.method, problem.system.scalar_bytes, graph(), mapping(), fronts_,
               fronts_, main_, loads_, own_ ? RankRecovery{this, &fronts_, &move_files_} : RankRecovery{}, problem.found},
              engine_options(problem, rank)),
      leavers_(engine_, rank == 0 && own_ ? this : nullptr, 0),
      posted_(calls_, engine_),
      clock_(ports.clock),
      core_(ports.slowness, ports.clock, problem.options.costs.largest_rate),
      loop_looks_(loop_period(), problem.options.costs.wake_seconds.value_or(0)),
      thread_looks_(thread_period(problem.options)) {
  fronts_.set_events(posted_);
}

void SimulatedRank::run() {
  actor_ = sg::Actor::self();
  if (!problem_.found.empty()) {
    counts_.num_bytes_read = fronts_.restore(problem_.found, problem_.mapping);
    move_files_.read({}, counts_.num_bytes_read, {});
  }
  engine_.start();
  bool has_happened = false;  // since the loop last slept
  while (!engine_.ended()) {
    const bool has_handled = handle_events();
    has_happened = has_happened || has_handled || !jobs_.empty();
    if (!jobs_.empty()) {
      run_job(jobs_.take());
    } else if (!has_handled) {
      sleep(std::exchange(has_happened, false));
    }
  }
  computed_seconds_ = sg::Engine::get_clock();
  if (log_ != nullptr) {
    log_->settle();
  }
}

bool SimulatedRank::handle_events() {
  bool has_handled = handle_load_messages();
  has_handled = calls_.make_calls() || has_handled;
  has_handled = engine_.on_load_event() || has_handled;
  while (const std::optional<ReceivedMessage> message = main_.poll()) {
    core_.compute(problem_.options.costs.seconds_per_message);
    engine_.on_message(*message);
    has_handled = true;
  }
  pay_for_message_bytes();
  look_after_leavers();
  return has_handled;
}

std::vector<Rank> SimulatedRank::ranks_to_leave(std::string& folder) {
  folder = problem_.options.drains_through_files ? "disk" : "";
  return leaving_;
}

void SimulatedRank::ask_to_leave(Rank rank) {
  leaving_.push_back(rank);
  clock_.call_at(leavers_.next_look(), [this] { wake(); });
}

PlanInForce::Terms SimulatedRank::adopt(const RecoveryPlan& plan) {
  const SimulatedSystem& system = problem_.system;
  TaskGraph next(system.symbolic->tree(), system.method, system.scalar_bytes, plan.mapping, KeptFactors::all, plan.finished,
                 {.tasks_move = problem_.options.sharing != WorkSharing::fixed});
  fronts_.renumber(next, plan.shares);
  own_->graph = std::move(next);
  own_->mapping = plan.mapping;
  const MappingEstimate estimate = estimate_mapping(system.symbolic->tree(), plan.mapping, system.method, system.scalar_bytes);
  return {-1, estimate.ranks[main_.rank()].peak_active_bytes};
}

void SimulatedRank::look_after_leavers() {
  const double now = sg::Engine::get_clock();
  leavers_.look(now);
  if (leavers_.waits() && !engine_.pauses() && leavers_.next_look() > now) {
    clock_.call_at(leavers_.next_look(), [this] { wake(); });
  }
  if (std::exchange(parts_seen_, engine_.counts().parts_sent) != engine_.counts().parts_sent) {
    counts_.empty_at_seconds = now;
  }
}

// Charges the packing, copying and unpacking of messages sent and received since the last call.
void SimulatedRank::pay_for_message_bytes() {
  const Count bytes = main_.counts().sent.bytes + main_.counts().received.bytes;
  const Count unpaid = bytes - std::exchange(message_bytes_paid_, bytes);
  if (unpaid > 0 && problem_.options.costs.seconds_per_message_byte > 0) {
    core_.compute(static_cast<double>(unpaid) * problem_.options.costs.seconds_per_message_byte);
  }
}

// Messages that no thread has found cost the loop its time.
bool SimulatedRank::handle_load_messages() {
  const int num_served = loads_.serve();
  if (num_served > 0) {
    thread_looks_.look(sg::Engine::get_clock(), true);
    core_.compute(num_served * problem_.options.costs.seconds_per_message);
  }
  return num_served > 0;
}

void SimulatedRank::run_job(const JobQueue::Item& item) {
  const double begin = sg::Engine::get_clock();
  try {
    while (const std::optional<double> seconds = item.job()) {
      core_.compute(*seconds);
    }
  } catch (const simgrid::ForcefulKillException&) {
    throw;
  } catch (...) {
    engine_.fail(std::current_exception());
  }
  const double end = sg::Engine::get_clock();
  counts_.busy_seconds += end - begin;
  if (problem_.options.records_work && end > begin) {
    counts_.work.push_back({begin, end, item.part});
  }
}

// The loop polls for messages, less often the longer it has been idle. Load messages wake it.
void SimulatedRank::sleep(bool has_happened) {
  loop_looks_.look(sg::Engine::get_clock(), has_happened);
  was_woken_by_load_ = false;
  is_asleep_ = true;
  sg::this_actor::suspend();
  const std::optional<double> delay = problem_.options.costs.wake_seconds;
  if (delay && was_woken_by_load_) {
    sg::this_actor::sleep_for(*delay);
  } else if (delay) {
    sg::this_actor::sleep_until(loop_looks_.look_for(sg::Engine::get_clock()));
  }
}

// A busy loop polls after its current work, without being called.
void SimulatedRank::on_load_message() {
  if (core_.is_abandoned()) {
    return;
  }
  if (!problem_.options.use_load_thread) {
    wake();
    return;
  }
  thread_looks_.call_at_look_for(sg::Engine::get_clock(), clock_, [this] { serve_as_thread(); });
  if (is_asleep_) {
    loop_looks_.call_at_look_for(sg::Engine::get_clock(), clock_, [this] { wake(); });
  }
}

void SimulatedRank::serve_as_thread() {
  bool has_served = false;
  while (!core_.is_abandoned() && loads_.serve() > 0) {
    has_served = true;
  }
  if (has_served) {
    thread_looks_.look(sg::Engine::get_clock(), true);
    was_woken_by_load_ = true;
    wake();
  }
}

void SimulatedRank::abandon() {
  core_.abandon();
  is_asleep_ = false;
}

void SimulatedRank::wake() {
  if (std::exchange(is_asleep_, false)) {
    actor_->resume();
  }
}

SimulatedRankCounts& SimulatedRankCounts::operator+=(const SimulatedRankCounts& later) {
  RankRunCounts::operator+=(later);
  has_left = has_left || later.has_left;
  busy_seconds += later.busy_seconds;
  is_lost = is_lost || later.is_lost;
  empty_at_seconds = std::max(empty_at_seconds, later.empty_at_seconds);
  num_bytes_written += later.num_bytes_written;
  num_bytes_read += later.num_bytes_read;
  num_blocks_left_out += later.num_blocks_left_out;
  seconds_waited += later.seconds_waited;
  work.insert(work.end(), later.work.begin(), later.work.end());
  return *this;
}

SimulatedRankCounts SimulatedRank::counts() const {
  SimulatedRankCounts counts = counts_;
  counts.flops_done = fronts_.flops();
  counts.peak_bytes = fronts_.peak_bytes();
  counts.peak_active_bytes = fronts_.peak_active_bytes();
  counts.main = main_.counts();
  const LoadServiceCounts loads = loads_.counts();
  counts.load_sent = loads.sent;
  counts.snapshot_seconds = loads.blocked_seconds;
  counts.engine = engine_.counts();
  const std::span<const Rank> members = mapping().members();
  counts.has_left = !std::binary_search(members.begin(), members.end(), main_.rank());
  counts.seconds_at_rest = leavers_.seconds_at_rest();
  if (log_ != nullptr) {
    counts.num_bytes_written = log_->num_bytes();
    counts.num_blocks_left_out = log_->num_blocks_left_out();
    counts.seconds_waited = log_->seconds_waited();
  }
  return counts;
}

}  // namespace frond
