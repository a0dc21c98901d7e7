// SPDX-License-Identifier: BSD-3-Clause
// Turns failures of MPI calls into exceptions. This header and transfer.hpp include MPI's; no header outside loadinfo/messages/mpi/
// includes them.
#pragma once

#include <mpi.h>

#include "frond/error.hpp"

namespace frond {

/// Throws CommunicationError with MPI's text unless `code`, returned by the function named `call`, means success.
void check_mpi(int code, const char* call);

/// True if MPI was started and has not ended yet.
[[nodiscard]] bool is_mpi_running();

}  // namespace frond
