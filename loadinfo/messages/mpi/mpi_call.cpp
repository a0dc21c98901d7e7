// SPDX-License-Identifier: BSD-3-Clause
// Turns MPI's return codes into exceptions.
#include "loadinfo/messages/mpi/mpi_call.hpp"

#include <fmt/format.h>

#include <array>

namespace frond {

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) {
    return;
  }
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) {
    length = 0;
  }
  throw CommunicationError(fmt::format("{} failed with code {}: {}", call, code, std::string_view(text.data(), length)));
}

bool is_mpi_running() {
  int is_initialized = 0;
  int is_finalized = 0;
  check_mpi(MPI_Initialized(&is_initialized), "MPI_Initialized");
  check_mpi(MPI_Finalized(&is_finalized), "MPI_Finalized");
  return is_initialized != 0 && is_finalized == 0;
}

}  // namespace frond
