// SPDX-License-Identifier: BSD-3-Clause
// Returns the number and the count of the processes that run a test.
#pragma once

#include <mpi.h>

namespace frond::testing {

[[nodiscard]] inline int number_of_this_process() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

[[nodiscard]] inline int number_of_processes() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

}  // namespace frond::testing
