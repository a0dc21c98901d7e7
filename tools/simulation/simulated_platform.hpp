// SPDX-License-Identifier: BSD-3-Clause
// The simulated machine: SimGrid hosts and the routes between them.
#pragma once

#include <memory>
#include <optional>
#include <simgrid/s4u.hpp>
#include <vector>

#include "tools/simulation/simulate.hpp"

namespace frond {

/// Makes the only engine of this process; InternalError if there was one before. Transfers take their latency and their bytes over
/// the rate: no corrections for TCP.
[[nodiscard]] std::unique_ptr<simgrid::s4u::Engine> make_simulation_engine();

/// [rank] = its host. Fills the cores of hosts one after the other, in the order of the hosts' names (numbers in them by value);
/// starts again if there are more ranks than cores. Throws InputError for a file that is not a platform.
[[nodiscard]] std::vector<simgrid::s4u::Host*> make_hosts(const simgrid::s4u::Engine& engine, const SimulatedMachine& machine,
                                                          double flops_per_second, Rank num_ranks);

/// Returns the disk that all ranks share: with this rate or, without one, the first disk of the platform file, or one of kDiskRate.
[[nodiscard]] simgrid::s4u::Disk* make_disk(const std::vector<simgrid::s4u::Host*>& hosts, std::optional<double> bytes_per_second);

/// The route from one rank to another without other traffic.
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
  std::vector<std::vector<Way>> ways_;      // [from][to], for ranks whose routes were requested; negative: not known yet
};

}  // namespace frond
