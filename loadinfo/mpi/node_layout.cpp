// SPDX-License-Identifier: BSD-3-Clause
// Machines are told apart by their names.
#include "loadinfo/mpi/node_layout.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "loadinfo/mpi/collective.hpp"
#include "loadinfo/mpi/communicator_handle.hpp"

namespace frond {

namespace {

std::string machine_name(MpiGate& gate) {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  const auto inside = gate.enter();
  check_mpi(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  return {name.data(), static_cast<std::size_t>(length)};
}

}  // namespace

NodeLayout find_node_layout(const Communicator& ranks, int num_cores) {
  const std::string mine = machine_name(ranks.gate());
  const std::vector<int> cores = all_gather_values(ranks, num_cores);
  NodeLayout layout;
  std::map<std::string, int> num_ranks_on;
  Rank rank = 0;
  for (const std::vector<std::byte>& name : all_gather(ranks, std::as_bytes(std::span(mine)))) {
    if (num_ranks_on[{reinterpret_cast<const char*>(name.data()), name.size()}]++ < cores[static_cast<std::size_t>(rank)]) {
      layout.one_rank_per_core.push_back(rank);
    }
    ++rank;
  }
  layout.num_ranks_here = num_ranks_on.at(mine);
  return layout;
}

}  // namespace frond
