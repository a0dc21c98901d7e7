// SPDX-License-Identifier: BSD-3-Clause
// Groups ranks by the names of their machines.
#include "loadinfo/messages/ranks/node_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "loadinfo/messages/ranks/collective.hpp"

namespace frond {

namespace {

std::vector<int> numbers_of(std::span<const std::byte> bytes) {
  std::vector<int> numbers(bytes.size() / sizeof(int));
  std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(numbers)).begin());
  return numbers;
}

}  // namespace

NodeLayout find_node_layout(const Communicator& ranks, std::span<const int> processors) {
  const std::string own_name = ranks.carrier().machine_name();
  std::vector<std::string> names;  // [rank] = name of its machine
  for (const std::vector<std::byte>& name : all_gather(ranks, std::as_bytes(std::span(own_name)))) {
    names.emplace_back(reinterpret_cast<const char*>(name.data()), name.size());
  }
  const std::vector<std::vector<std::byte>> sets = all_gather(ranks, std::as_bytes(processors));
  std::map<std::string, std::set<int>> processors_of;  // [machine] = processors that any of its ranks may use
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    const std::vector<int> numbers = numbers_of(sets[rank]);
    processors_of[names[rank]].insert(numbers.begin(), numbers.end());
  }
  NodeLayout layout{0, 0, {}};
  std::map<std::string, std::size_t> num_ranks_on;
  const auto mine = static_cast<std::size_t>(ranks.rank());
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    if (num_ranks_on[names[rank]]++ < processors_of[names[rank]].size()) {
      layout.one_rank_per_core.push_back(static_cast<Rank>(rank));
    }
    const bool shares = names[rank] == names[mine] && sets[rank] == sets[mine];
    layout.num_sharing += shares ? 1 : 0;
    layout.index_sharing += shares && rank < mine ? 1 : 0;
  }
  return layout;
}

}  // namespace frond
