// SPDX-License-Identifier: BSD-3-Clause
// Adds the options for hosts and links.
#include "tools/simulation/network_arguments.hpp"

#include <CLI/CLI.hpp>

#include "tools/program/arguments/file_arguments.hpp"
#include "tools/program/arguments/number_check.hpp"

namespace frond {

void add_network_options(CLI::App& command, const std::string& group, NetworkArguments& arguments) {
  const SimulatedMachine defaults;
  CLI::Option* latency = command
                             .add_option("--latency", arguments.latency_seconds,
                                         "Let a message take S seconds at least (default: 5e-6, or what the machine's file says)")
                             ->check(number_at_least_0())
                             ->type_name("S")
                             ->group(group);
  CLI::Option* bandwidth =
      command
          .add_option(
              "--bandwidth", arguments.bytes_per_second,
              "Let a host's link carry B bytes per second in each direction (default: 1e9, or what the machine's file says)")
          ->check(number_above_0())
          ->type_name("B")
          ->group(group);
  CLI::Option* hosts = command
                           .add_option("--hosts", arguments.num_hosts,
                                       "Put the processes on N hosts at the switch; 0 stands for one for each process")
                           ->check(integer_between(0, 1 << 16))
                           ->capture_default_str()
                           ->type_name("N")
                           ->group(group);
  CLI::Option* cores = command.add_option("--cores", arguments.cores_per_host, "Give each host N cores")
                           ->check(integer_between(1, 1 << 16))
                           ->capture_default_str()
                           ->type_name("N")
                           ->group(group);
  add_path(command, "--platform", arguments.platform_file,
           "Take hosts and links from a platform file of SimGrid's; processes fill cores host by host", "FILE.xml")
      ->excludes(latency)
      ->excludes(bandwidth)
      ->excludes(hosts)
      ->excludes(cores)
      ->group(group);
}

void set_network(const NetworkArguments& arguments, SimulatedMachine& machine) {
  machine.latency_seconds = arguments.latency_seconds.value_or(machine.latency_seconds);
  machine.bytes_per_second = arguments.bytes_per_second.value_or(machine.bytes_per_second);
  machine.num_hosts = arguments.num_hosts;
  machine.cores_per_host = arguments.cores_per_host;
  machine.platform_file = arguments.platform_file;
}

}  // namespace frond
