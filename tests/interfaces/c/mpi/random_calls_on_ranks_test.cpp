// SPDX-License-Identifier: BSD-3-Clause
// Tests that processes making the same calls get the same statuses, even when some of them pass invalid arguments.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <random>
#include <vector>

#include "frond_mpi.h"
#include "tests/interfaces/c/random_calls.hpp"
#include "tests/support/programs/all_tests.hpp"

namespace frond {
namespace {

TEST(RandomCallsOnRanks, ComeToTheSameStatus) {
  std::uint64_t first = std::random_device{}();
  MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  SCOPED_TRACE(first);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto make = [](int scalar, frond_solver** solver) { return frond_create_on(MPI_COMM_WORLD, scalar, solver); };
  for (std::uint64_t k = 0; k < (testing::is_all_tested() ? 40 : 10); ++k) {
    std::vector<frond_status> statuses;
    ASSERT_EQ(testing::run_random_calls(first + k, first + k + 1000 * static_cast<std::uint64_t>(rank), make, statuses), "")
        << "seed " << first + k << " on rank " << rank;
    std::vector<frond_status> of_the_first = statuses;
    MPI_Bcast(of_the_first.data(), static_cast<int>(statuses.size()), MPI_INT, 0, MPI_COMM_WORLD);
    ASSERT_EQ(statuses, of_the_first) << "seed " << first + k << " on rank " << rank;
  }
}

}  // namespace
}  // namespace frond
