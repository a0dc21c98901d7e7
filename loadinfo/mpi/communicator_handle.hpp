// SPDX-License-Identifier: BSD-3-Clause
// The inside of a communicator, and how one is made from a user's.
#pragma once

#include <memory>

#include "loadinfo/mpi/communicator.hpp"
#include "loadinfo/mpi/mpi_call.hpp"

namespace frond {

struct Communicator::Handle {
  Handle(MPI_Comm owned, std::shared_ptr<MpiGate> shared_gate);
  ~Handle();  ///< nothing, once MPI has ended
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  std::shared_ptr<MpiGate> gate;
  MPI_Comm comm = MPI_COMM_NULL;
  Rank rank = 0;
  Rank num_ranks = 0;
};

/// Frond's own duplicate of a program's communicator.
[[nodiscard]] Communicator duplicate(MPI_Comm original, std::shared_ptr<MpiGate> gate);

}  // namespace frond
