// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI whose failures are exceptions. This header and transfer.hpp include MPI's; no header outside loadinfo/messages/mpi/
// includes them.
#pragma once

#include <mpi.h>

#include "frond/error.hpp"

namespace frond {

/// Throws CommunicationError, with MPI's text, unless `code`, which `call` has returned, means success.
void check_mpi(int code, const char* call);

/// Has MPI been started and not yet ended?
[[nodiscard]] bool is_mpi_running();

}  // namespace frond
