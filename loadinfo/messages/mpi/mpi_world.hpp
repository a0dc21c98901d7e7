// SPDX-License-Identifier: BSD-3-Clause
// Makes the communicator of all processes of an MPI program.
#pragma once

#include <memory>

#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// All callers of MPI in this process share the gate.
[[nodiscard]] Communicator mpi_world(std::shared_ptr<MpiGate> gate);

}  // namespace frond
