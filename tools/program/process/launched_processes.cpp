// SPDX-License-Identifier: BSD-3-Clause
// Divides the processors of a machine among its processes, and starts MPI.
#include "tools/program/process/launched_processes.hpp"

#include <fmt/format.h>

#include <memory>
#include <span>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/processors.hpp"
#include "loadinfo/messages/ranks/node_layout.hpp"

namespace frond {

void bind_to_processors(const Communicator& ranks, int num_threads) {
  const std::vector<int> processors = usable_processors();
  const NodeLayout layout = find_node_layout(ranks, processors);
  const std::span<const int> share = share_of_processors(processors, layout.num_sharing, layout.index_sharing);
  if (layout.num_sharing > 1 && !share.empty() && num_threads <= static_cast<int>(share.size())) {
    keep_to_processors(share);
  }
}

LaunchedProcesses::LaunchedProcesses(const Launch& launch, MpiThreadLevel level)
    : environment_(level), ranks_(mpi_world(std::make_shared<MpiGate>(mpi_thread_level()))) {
  if (ranks_.num_ranks() != launch.num_ranks) {
    throw UsageError(
        fmt::format("the launcher has started {} processes, but MPI knows of {}: call the mpiexec.mpich of the MPICH "
                    "that Frond is built with",
                    launch.num_ranks, ranks_.num_ranks()));
  }
}

}  // namespace frond
