// SPDX-License-Identifier: BSD-3-Clause
// The options by which a simulated machine is disturbed.
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
  std::string competing_load;        ///< SEED[:SHARE]; empty: there is none
};

void add_disturbance_options(CLI::App& command, const std::string& group, DisturbanceArguments& arguments);

/// Throws UsageError for what cannot be understood, and for ranks that are none with any of these numbers of ranks.
void check_disturbances(const DisturbanceArguments& arguments, const std::vector<Rank>& all_num_ranks);

/// What the arguments say of the machine.
void disturb(const DisturbanceArguments& arguments, SimulatedMachine& machine);

/// `said` is the option and its value. Throws UsageError unless the rank is one with each of these numbers of ranks.
void check_rank(const std::string& said, Rank rank, const std::vector<Rank>& all_num_ranks);

}  // namespace frond
