// SPDX-License-Identifier: BSD-3-Clause
// Runs the processes of one comparison in turn and collects what they tell.
#include "tools/benchmarks/factor_benchmark_comparison.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "matrices/error.hpp"
#include "solver/report.hpp"
#include "tools/benchmarks/factor_benchmark_process.hpp"
#include "tools/benchmarks/factor_benchmark_solvers.hpp"

namespace frond {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kFrond = "frond";

double median(std::vector<double> values) {
  if (values.empty()) return kNothing;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// A process and what it has measured so far.
class Participant {
 public:
  explicit Participant(const WorkerTask& task)
      : process_(task, task.solver == kFrond || task.solver == kDgemm ? ProcessEnvironment::plain : ProcessEnvironment::peer) {
    measured_.solver = task.solver;
    measured_.num_threads = task.num_threads;
    facts_ = process_.receive();
    measured_.error = facts_.value("error", "");
    if (measured_.error.empty()) measured_.flops = facts_["flops"];
  }

  [[nodiscard]] const nlohmann::json& facts() const { return facts_; }
  [[nodiscard]] const Measurements& measured() const { return measured_; }

  void warm_up() { static_cast<void>(run()); }

  void measure() {
    const nlohmann::json reply = run();
    if (!measured_.error.empty()) return;
    measured_.wall_seconds.push_back(reply["wall_seconds"]);
    measured_.cpu_seconds.push_back(reply["cpu_seconds"]);
    measured_.backward_error = std::max(measured_.backward_error, reply.value("backward_error", 0.0));
  }

 private:
  /// The reply to one request; after the first error nothing is asked or counted any more.
  nlohmann::json run() {
    if (!measured_.error.empty()) return {};
    process_.request();
    nlohmann::json reply = process_.receive();
    if (reply.contains("error")) {
      measured_.error = reply["error"];
      measured_.wall_seconds.clear();
      measured_.cpu_seconds.clear();
    }
    return reply;
  }

  WorkerProcess process_;
  nlohmann::json facts_;
  Measurements measured_;
};

using Participants = std::vector<std::unique_ptr<Participant>>;

Comparison describe(const ProblemName& problem, const nlohmann::json& facts) {
  Comparison comparison;
  comparison.problem = to_string(problem);
  comparison.order = facts["order"];
  comparison.entries = facts["entries"];
  comparison.method = facts["method"];
  comparison.flops = facts["flops"];
  comparison.factor_entries = facts["factor_entries"];
  return comparison;
}

/// Peers that this build includes and that factorize by this method.
void add_peers(const WorkerTask& frond_task, Participants& participants) {
  for (const SolverInfo& info : solver_infos()) {
    if (info.name == kFrond || !info.is_available || !info.applies(*frond_task.method)) continue;
    WorkerTask task = frond_task;
    task.solver = info.name;
    participants.push_back(std::make_unique<Participant>(task));
  }
}

void run_in_turn(Participants& participants, int repetitions) {
  for (const auto& participant : participants) participant->warm_up();
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (const auto& participant : participants) participant->measure();
  }
}

}  // namespace

double Measurements::wall() const { return median(wall_seconds); }
double Measurements::cpu() const { return median(cpu_seconds); }

const Measurements* Comparison::find(std::string_view solver, int num_threads) const {
  const auto found = std::ranges::find_if(
      measurements, [&](const Measurements& m) { return m.solver == solver && m.num_threads == num_threads && m.error.empty(); });
  return found == measurements.end() ? nullptr : &*found;
}

const Measurements* Comparison::best_peer(double (Measurements::*seconds)() const) const {
  const Measurements* best = nullptr;
  for (const Measurements& candidate : measurements) {
    const bool is_peer = candidate.solver != kFrond && candidate.solver != kDgemm && candidate.error.empty();
    if (is_peer && (best == nullptr || (candidate.*seconds)() < (best->*seconds)())) best = &candidate;
  }
  return best;
}

double Comparison::ratio_to_best_peer(double (Measurements::*seconds)() const) const {
  const Measurements* frond = find(kFrond, 1);
  const Measurements* peer = best_peer(seconds);
  return frond == nullptr || peer == nullptr ? kNothing : (frond->*seconds)() / (peer->*seconds)();
}

double Comparison::speed_up(std::string_view solver) const {
  const Measurements* one = find(solver, 1);
  const Measurements* many = find(solver, kManyThreads);
  return one == nullptr || many == nullptr ? kNothing : many->flop_rate() / one->flop_rate();
}

Comparison compare(const ProblemName& problem, std::optional<Method> method, int repetitions) {
  WorkerTask task{kFrond, 1, problem, method};
  Participants participants;
  participants.push_back(std::make_unique<Participant>(task));
  if (const Participant& frond = *participants[0]; !frond.measured().error.empty()) throw Error(frond.measured().error);
  Comparison comparison = describe(problem, participants[0]->facts());
  task.method = parse_method(comparison.method);
  add_peers(task, participants);
  task.num_threads = kManyThreads;
  participants.push_back(std::make_unique<Participant>(task));
  for (const int num_threads : {1, kManyThreads}) {
    participants.push_back(std::make_unique<Participant>(WorkerTask{kDgemm, num_threads, {}, {}}));
  }
  comparison.blas = participants.back()->facts().value("blas", "");
  run_in_turn(participants, repetitions);
  for (const auto& participant : participants) comparison.measurements.push_back(participant->measured());
  return comparison;
}

std::string to_string(const ProblemName& problem) { return fmt::format("{}", fmt::join(problem, " ")); }

Method parse_method(std::string_view name) {
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    if (to_string(method) == name) return method;
  }
  throw UsageError("the method must be cholesky, ldlt or lu, not " + std::string(name));
}

}  // namespace frond
