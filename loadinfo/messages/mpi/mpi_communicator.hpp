// SPDX-License-Identifier: BSD-3-Clause
// Communicators that MPI carries.
#pragma once

#include <memory>

#include "loadinfo/messages/mpi/mpi_call.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// A duplicate of a program's communicator, so that messages on it meet no others. Throws UsageError where there is none.
[[nodiscard]] Communicator duplicate(MPI_Comm original, std::shared_ptr<MpiGate> gate);

/// What MPI has of one that it carries; InternalError for others.
[[nodiscard]] MPI_Comm mpi_comm(const Communicator& ranks);
[[nodiscard]] const std::shared_ptr<MpiGate>& shared_gate(const Communicator& ranks);

}  // namespace frond
