// SPDX-License-Identifier: BSD-3-Clause
// Machines are told apart by the ranks that share memory.
#include "loadinfo/mpi/node_layout.hpp"

#include "loadinfo/mpi/collective.hpp"
#include "loadinfo/mpi/communicator_handle.hpp"

namespace frond {

NodeLayout find_node_layout(const Communicator& ranks, int num_cores) {
  NodeLayout layout;
  int place = 0;  // among the ranks of this machine
  {
    const auto inside = ranks.gate().enter();
    MPI_Comm here = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split_type(ranks.handle().comm, MPI_COMM_TYPE_SHARED, ranks.rank(), MPI_INFO_NULL, &here),
              "MPI_Comm_split_type");
    check_mpi(MPI_Comm_size(here, &layout.num_ranks_here), "MPI_Comm_size");
    check_mpi(MPI_Comm_rank(here, &place), "MPI_Comm_rank");
    check_mpi(MPI_Comm_free(&here), "MPI_Comm_free");
  }
  const std::vector<Rank> places = all_gather_values<Rank>(ranks, place < num_cores ? place : -1);
  for (Rank rank = 0; rank < ranks.num_ranks(); ++rank) {
    if (places[static_cast<std::size_t>(rank)] >= 0) {
      layout.one_rank_per_core.push_back(rank);
    }
  }
  return layout;
}

}  // namespace frond
