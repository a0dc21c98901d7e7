// SPDX-License-Identifier: BSD-3-Clause
// Asks MPI who shares memory, and the system for its cores.
#include "loadinfo/mpi/machines.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "loadinfo/mpi/communicator_handle.hpp"

namespace frond {
namespace {

// The rank, in `communicator`, of the first process on this one's machine.
Rank first_rank_here(const Communicator& communicator) {
  MPI_Comm here = MPI_COMM_NULL;
  Rank first = communicator.rank();
  check_mpi(MPI_Comm_split_type(communicator.handle().comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here), "MPI_Comm_split_type");
  const int code = MPI_Bcast(&first, 1, MPI_INT32_T, 0, here);
  MPI_Comm_free(&here);
  check_mpi(code, "MPI_Bcast");
  return first;
}

}  // namespace

Machines find_machines(const Communicator& communicator) {
  const auto inside = communicator.gate().enter();
  const std::array<Index, 2> mine = {first_rank_here(communicator), static_cast<Index>(sysconf(_SC_NPROCESSORS_ONLN))};
  std::vector<std::array<Index, 2>> all(static_cast<std::size_t>(communicator.num_ranks()));
  check_mpi(MPI_Allgather(mine.data(), 2, MPI_INT32_T, all.data(), 2, MPI_INT32_T, communicator.handle().comm), "MPI_Allgather");
  Machines machines;
  for (Rank rank = 0; rank < communicator.num_ranks(); ++rank) {
    const auto [first, num_cores] = all[static_cast<std::size_t>(rank)];
    if (first == rank) {
      machines.of_rank.push_back(static_cast<Index>(machines.num_cores.size()));
      machines.num_cores.push_back(std::max<Index>(num_cores, 1));
    } else {
      machines.of_rank.push_back(machines.of_rank[static_cast<std::size_t>(first)]);
    }
  }
  return machines;
}

}  // namespace frond
