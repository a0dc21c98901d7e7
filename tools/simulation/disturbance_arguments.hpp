// SPDX-License-Identifier: BSD-3-Clause
// Options that disturb a simulated machine.
#pragma once

#include <string>
#include <vector>

#include "tools/simulation/simulate.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

namespace frond {

struct DisturbanceArguments {
  std::vector<std::string> slowed;   ///< RANK:FACTOR[@FROM-[TO]]
  std::vector<std::string> delayed;  ///< RANK:SECONDS
  std::string competing_load;        ///< SEED[:SHARE]; empty: none
};

void add_disturbance_options(CLI::App& command, const std::string& group, DisturbanceArguments& arguments);

/// Throws UsageError for options that cannot be parsed, and for ranks that do not exist with one of these numbers of ranks.
void check_disturbances(const DisturbanceArguments& arguments, const std::vector<Rank>& all_num_ranks);

/// Applies the arguments to the machine.
void disturb(const DisturbanceArguments& arguments, SimulatedMachine& machine);

/// `said` is the option and its value. Throws UsageError unless the rank exists with each of these numbers of ranks.
void check_rank(const std::string& said, Rank rank, const std::vector<Rank>& all_num_ranks);

}  // namespace frond
