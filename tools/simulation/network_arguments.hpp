// SPDX-License-Identifier: BSD-3-Clause
// Options that place simulated processes on hosts and connect the hosts.
#pragma once

#include <optional>
#include <string>

#include "tools/simulation/simulate.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

namespace frond {

struct NetworkArguments {
  std::optional<double> latency_seconds;
  std::optional<double> bytes_per_second;
  Rank num_hosts = 0;
  int cores_per_host = 1;
  std::string platform_file;
};

void add_network_options(CLI::App& command, const std::string& group, NetworkArguments& arguments);

/// Sets what is given; everything else stays as it is.
void set_network(const NetworkArguments& arguments, SimulatedMachine& machine);

}  // namespace frond
