// SPDX-License-Identifier: BSD-3-Clause
// Options of a simulated machine: its hosts and links, what disturbs it, and what happens to ranks when.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/simulation/simulate.hpp"

namespace frond {

class CommandOptions;

struct MachineArguments {
  std::vector<std::string> slowed;   ///< RANK:FACTOR[@FROM-[TO]]
  std::vector<std::string> delayed;  ///< RANK:SECONDS
  std::string competing_load;        ///< SEED[:SHARE]; empty: none
  std::optional<double> latency_seconds;
  std::optional<double> bytes_per_second;
  Rank num_hosts = 0;
  int cores_per_host = 1;
  std::string platform_file;
};

/// Adds the options that disturb the machine.
void add_machine_options(const CommandOptions& options, MachineArguments& arguments);
/// Adds those that place processes on hosts and connect the hosts.
void add_network_options(const CommandOptions& options, MachineArguments& arguments);

/// Throws UsageError for options that cannot be parsed, and for ranks that do not exist with one of these numbers of ranks.
void check_machine(const MachineArguments& arguments, const std::vector<Rank>& all_num_ranks);

/// Applies the arguments to the machine; what is not given stays as it is.
void set_machine(const MachineArguments& arguments, SimulatedMachine& machine);

/// Parses a list of RANK@SECONDS. Throws UsageError, which names the option, for text that cannot be parsed.
[[nodiscard]] std::multimap<double, Rank> parse_moments(const std::string& option, const std::vector<std::string>& texts);

/// Also throws UsageError for ranks that do not exist with one of these numbers of ranks.
void check_moments(const std::string& option, const std::vector<std::string>& texts, const std::vector<Rank>& all_num_ranks);

/// Does check_moments() for --lose; also, no rank may be lost twice, and not all may be lost.
void check_losses(const std::vector<std::string>& texts, const std::vector<Rank>& all_num_ranks);

}  // namespace frond
