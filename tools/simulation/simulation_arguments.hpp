// SPDX-License-Identifier: BSD-3-Clause
// The command line arguments of frond simulate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/program/arguments/shared_arguments.hpp"
#include "tools/program/arguments/system_arguments.hpp"
#include "tools/program/calibration/machine_profile.hpp"
#include "tools/simulation/machine_arguments.hpp"
#include "tools/simulation/simulation_sweep.hpp"

namespace frond {

struct SimulateArguments {
  SystemArguments system;
  std::vector<Rank> num_ranks;  ///< lists: empty if not given
  std::vector<std::string> load_exchanges;
  std::vector<std::string> schedules;
  std::vector<std::string> load_threads;
  std::string load_traffic = "events";
  std::string memory_limit;
  MachineArguments machine;
  std::vector<std::string> drains;  ///< RANK@SECONDS
  bool through_files = false;       ///< as frond drain --through-files
  std::vector<std::string> losses;  ///< RANK@SECONDS
  double detection_seconds = 0.1;   ///< of a loss
  std::string checkpoint_every;     ///< TIME; empty: no checkpoint
  std::optional<double> disk_bytes_per_second;
  CostArguments costs;
  bool sweeps = false;
  AdviceArguments advice;
  int num_jobs = 0;  ///< 0: as many as cores
  std::string table;
  std::string html;
};

/// Adds the options with their help and groups.
void add_simulate_options(CLI::App& command, SimulateArguments& arguments);

/// Returns what to simulate: for options not given, all values in a sweep, otherwise the defaults.
[[nodiscard]] SimulationAxes sweep_axes(const SimulateArguments& arguments);

/// Returns all options except the case and the costs. `machine` is the content of --machine.
[[nodiscard]] SimulationOptions simulation_options(const SimulateArguments& arguments,
                                                   const std::optional<MachineProfile>& machine);

/// Throws UsageError for options that exclude each other, and for files that cannot be read or written.
void check_arguments(const SimulateArguments& arguments);

}  // namespace frond
