// SPDX-License-Identifier: BSD-3-Clause
// The inside of a communicator, and how one is made from a user's.
#pragma once

#include <memory>

#include "loadinfo/mpi/communicator.hpp"
#include "loadinfo/mpi/mpi_call.hpp"

namespace frond {

struct Communicator::Handle {
  Handle(MPI_Comm original, std::shared_ptr<MpiGate> shared_gate);  ///< duplicates `original`
  ~Handle();                                                        ///< nothing, once MPI has ended
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  std::shared_ptr<MpiGate> gate;
  MPI_Comm comm = MPI_COMM_NULL;
  Rank rank = 0;
  Rank num_ranks = 0;
};

/// Frond's own duplicate of a program's communicator.
[[nodiscard]] inline Communicator duplicate(MPI_Comm original, std::shared_ptr<MpiGate> gate) {
  return Communicator(std::make_unique<Communicator::Handle>(original, std::move(gate)));
}

}  // namespace frond
