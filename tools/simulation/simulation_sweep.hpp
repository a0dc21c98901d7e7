// SPDX-License-Identifier: BSD-3-Clause
// Simulations of one matrix with many numbers of ranks, mechanisms and schedules.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "factorization/scheduling/task_graph.hpp"
#include "tools/simulation/page/sweep.hpp"
#include "tools/simulation/simulate.hpp"

namespace frond {

/// The settings that differ from run to run.
struct SimulationCase {
  Rank num_ranks = 1;
  LoadMechanism load_exchange = LoadMechanism::partial_snapshot;
  Schedule schedule = Schedule::flops;
  bool use_load_thread = true;

  friend bool operator==(const SimulationCase&, const SimulationCase&) = default;
};

/// Every number of ranks with every mechanism, schedule and kind of thread; cases with the same number of ranks follow one another.
struct SimulationAxes {
  std::vector<Rank> num_ranks;
  std::vector<LoadMechanism> load_exchanges;
  std::vector<Schedule> schedules;
  std::vector<bool> load_threads;

  [[nodiscard]] std::vector<SimulationCase> cases() const;
};

[[nodiscard]] SimulationOptions options_of(const SimulationCase& one, SimulationOptions options);

/// Returns the keys ranks, load_exchange, schedule, load_thread.
[[nodiscard]] nlohmann::ordered_json case_json(const SimulationCase& one);

/// Simulates all cases, which have the system's number of ranks, in separate processes, and adds simulation_json() of each to
/// sweep["runs"]; failed ones go to sweep["failed_runs"] with their "error".
void add_runs(const SimulatedSystem& system, const std::vector<SimulationCase>& cases, const SimulationOptions& options,
              int num_at_once, const std::function<void()>& on_end, nlohmann::ordered_json& sweep);

/// Returns the run with this number in detail, from its result with recorded work; the node of a subtree is its top.
[[nodiscard]] ShownRun shown_run(std::size_t number, const SimulatedSystem& system, Schedule schedule,
                                 const SimulationResult& result);

/// Returns the position in sweep["runs"] of the fastest run; ties go to the one with the least memory. There must be runs.
[[nodiscard]] std::size_t fastest_run(const nlohmann::ordered_json& sweep);

[[nodiscard]] SimulationCase case_of(const nlohmann::ordered_json& run);

/// Return a line for each run and each failed one: for people, and with tabs between columns.
[[nodiscard]] std::string sweep_table(const nlohmann::ordered_json& sweep);
[[nodiscard]] std::string sweep_tsv(const nlohmann::ordered_json& sweep);

}  // namespace frond
