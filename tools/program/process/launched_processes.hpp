// SPDX-License-Identifier: BSD-3-Clause
// The processes that MPICH's launcher has started together, each on cores of its own.
#pragma once

#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "tools/program/process/launch.hpp"

namespace frond {

/// Collective: processes that may use the same processors take a part each, if it has a processor for every thread. Otherwise the
/// system moves processes that often sleep briefly to each other's cores.
void bind_to_processors(const Communicator& ranks, int num_threads);

/// Starts MPI; the destructor ends it.
class LaunchedProcesses {
 public:
  /// Throws UsageError if MPI does not know of as many processes as the launcher.
  LaunchedProcesses(const Launch& launch, MpiThreadLevel level);

  [[nodiscard]] const Communicator& ranks() const { return ranks_; }

 private:
  MpiEnvironment environment_;
  Communicator ranks_;
};

}  // namespace frond
