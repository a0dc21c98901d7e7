// SPDX-License-Identifier: BSD-3-Clause
// All processes of an MPI program.
#pragma once

#include <memory>

#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// The gate is shared by all that call MPI in this process.
[[nodiscard]] Communicator mpi_world(std::shared_ptr<MpiGate> gate);

}  // namespace frond
