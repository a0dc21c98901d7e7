// SPDX-License-Identifier: BSD-3-Clause
// Makes communicators over MPI.
#pragma once

#include <memory>

#include "loadinfo/messages/mpi/mpi_call.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Duplicates a program's communicator, so that its messages do not mix with others. Throws UsageError for a null communicator.
[[nodiscard]] Communicator duplicate(MPI_Comm original, std::shared_ptr<MpiGate> gate);

/// Returns the MPI communicator underneath; InternalError if it is not one over MPI.
[[nodiscard]] MPI_Comm mpi_comm(const Communicator& ranks);
[[nodiscard]] const std::shared_ptr<MpiGate>& shared_gate(const Communicator& ranks);

}  // namespace frond
