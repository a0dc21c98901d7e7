// SPDX-License-Identifier: BSD-3-Clause
// Makes hosts on one switch, or those of a platform file.
#include "tools/simulation/simulated_platform.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "frond/error.hpp"
#include "tools/program/process/other_programs.hpp"

namespace frond {
namespace {

namespace sg = simgrid::s4u;

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

// Orders "node9" before "node10".
bool is_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto number = [](std::string_view& text) {
        const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
        const std::string digits(text.begin(), end);
        text.remove_prefix(digits.size());
        return std::pair(digits.size() - std::min(digits.find_first_not_of('0'), digits.size()), digits);
      };
      const auto of_a = number(a);
      const auto of_b = number(b);
      if (of_a != of_b) {
        return of_a < of_b;
      }
    } else if (a.front() != b.front()) {
      return a.front() < b.front();
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

std::vector<sg::Host*> load_hosts(const sg::Engine& engine, const std::string& file) {
  if (access(file.c_str(), F_OK) != 0) {
    throw InputError(file, 0, "there is no such file");
  }
  try {
    engine.load_platform(file);
  } catch (const std::exception& error) {
    throw InputError(file, 0, std::string("it is no platform that SimGrid understands: ") + error.what());
  }
  std::vector<sg::Host*> hosts = engine.get_all_hosts();
  if (hosts.empty()) {
    throw InputError(file, 0, "the platform has no hosts");
  }
  std::sort(hosts.begin(), hosts.end(),
            [](const sg::Host* a, const sg::Host* b) { return is_before(a->get_name(), b->get_name()); });
  return hosts;
}

// Each host has its own link to the switch. Messages within a host share nothing with others.
std::vector<sg::Host*> star_hosts(const SimulatedMachine& machine, double flops_per_second, Rank num_hosts) {
  sg::NetZone* zone = sg::create_star_zone("cluster");
  std::vector<sg::Host*> hosts;
  for (Rank number = 0; number < num_hosts; ++number) {
    const std::string name = "host" + std::to_string(number);
    sg::Host* host = zone->create_host(name, flops_per_second);
    host->set_core_count(machine.cores_per_host);
    sg::Link* link = zone->create_split_duplex_link(name + "-link", machine.bytes_per_second);
    link->set_latency(machine.latency_seconds / 2);  // a message crosses two of them
    zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {{link, sg::LinkInRoute::Direction::UP}}, true);
    sg::Link* loopback = zone->create_link(name + "-loopback", machine.bytes_per_second);
    loopback->set_latency(machine.latency_seconds)->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE);
    zone->add_route(host->get_netpoint(), host->get_netpoint(), nullptr, nullptr, {sg::LinkInRoute(loopback)});
    hosts.push_back(host);
  }
  zone->seal();
  return hosts;
}

}  // namespace

std::unique_ptr<sg::Engine> make_simulation_engine() {
  static bool has_made_one = false;
  if (std::exchange(has_made_one, true)) {
    throw InternalError("a second simulation in one process");
  }
  std::vector<std::string> words = {"frond", "--log=root.thres:critical", "--cfg=network/model:CM02",
                                    "--cfg=network/TCP-gamma:1e12", "--cfg=contexts/stack-size:128"};
#ifdef FROND_ACTORS_ARE_THREADS
  words.emplace_back("--cfg=contexts/factory:thread");
#endif
  auto num_arguments = static_cast<int>(words.size());
  return std::make_unique<sg::Engine>(&num_arguments, pointers_to(words).data());
}

std::vector<sg::Host*> make_hosts(const sg::Engine& engine, const SimulatedMachine& machine, double flops_per_second,
                                  Rank num_ranks) {
  const std::vector<sg::Host*> hosts =
      machine.platform_file.empty() ? star_hosts(machine, flops_per_second, machine.num_hosts > 0 ? machine.num_hosts : num_ranks)
                                    : load_hosts(engine, machine.platform_file);
  std::vector<sg::Host*> cores;
  for (sg::Host* host : hosts) {
    cores.insert(cores.end(), static_cast<std::size_t>(host->get_core_count()), host);
  }
  std::vector<sg::Host*> of_ranks;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(num_ranks); ++rank) {
    of_ranks.push_back(cores[rank % cores.size()]);
  }
  return of_ranks;
}

sg::Disk* make_disk(const std::vector<sg::Host*>& hosts, std::optional<double> bytes_per_second) {
  const auto with_disk = std::find_if(hosts.begin(), hosts.end(), [](const sg::Host* host) { return !host->get_disks().empty(); });
  if (!bytes_per_second && with_disk != hosts.end()) {
    return (*with_disk)->get_disks().front();
  }
  const double rate = bytes_per_second.value_or(kDiskRate);
  sg::Disk* disk = hosts.front()->create_disk("shared-disk", rate, rate);
  disk->seal();
  return disk;
}

const Routes::Way& Routes::way(Rank from, Rank to) {
  std::vector<Way>& ways = ways_[from];
  if (ways.empty()) {
    ways.assign(hosts_.size(), {-1, 0});
  }
  Way& way = ways[to];
  if (way.latency_seconds < 0) {
    std::vector<sg::Link*> links;
    double latency = 0;
    hosts_[from]->route_to(hosts_[to], links, &latency);
    double seconds_per_byte = 0;
    for (const sg::Link* link : links) {
      seconds_per_byte = std::max(seconds_per_byte, 1 / link->get_bandwidth());
    }
    way = {static_cast<float>(latency), static_cast<float>(seconds_per_byte)};
  }
  return way;
}

}  // namespace frond
