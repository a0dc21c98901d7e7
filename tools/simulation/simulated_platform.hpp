// SPDX-License-Identifier: BSD-3-Clause
// The machine on which ranks are simulated: hosts of SimGrid's, and the ways between them.
#pragma once

#include <memory>
#include <optional>
#include <simgrid/s4u.hpp>
#include <vector>

#include "tools/simulation/simulate.hpp"

namespace frond {

/// The one engine of this process; InternalError if there was another one before. Transfers take their latency and their bytes over
/// the rate: no corrections for TCP.
[[nodiscard]] std::unique_ptr<simgrid::s4u::Engine> make_simulation_engine();

/// [rank] = its host. Cores of hosts are filled one after the other, in the order of the hosts' names (numbers in them by value);
/// if there are more ranks than cores, from the beginning again. Throws InputError for a file that is no platform.
[[nodiscard]] std::vector<simgrid::s4u::Host*> make_hosts(const simgrid::s4u::Engine& engine, const SimulatedMachine& machine,
                                                          double flops_per_second, Rank num_ranks);

/// The disk that all ranks share: of this rate or, without one, the first of the platform file, or one of kDiskRate.
[[nodiscard]] simgrid::s4u::Disk* make_disk(const std::vector<simgrid::s4u::Host*>& hosts, std::optional<double> bytes_per_second);

/// What the way from one rank to another is like when nobody else is on it.
class Routes {
 public:
  struct Way {
    float latency_seconds = 0;
    float seconds_per_byte = 0;
  };

  explicit Routes(std::vector<simgrid::s4u::Host*> hosts) : hosts_(std::move(hosts)), ways_(hosts_.size()) {}

  [[nodiscard]] const Way& way(Rank from, Rank to);

 private:
  std::vector<simgrid::s4u::Host*> hosts_;  // [rank]
  std::vector<std::vector<Way>> ways_;      // [from][to], for ranks from which a way was asked for; negative: not known yet
};

}  // namespace frond
