// SPDX-License-Identifier: BSD-3-Clause
// Tests the creation of solvers of several processes, and the empty system.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <string>

#include "frond_mpi.h"
#include "tests/interfaces/c/c_system.hpp"
#include "tests/interfaces/c/mpi/processes.hpp"

namespace frond::testing {
namespace {

TEST(CCreateOn, NeedsAPlaceAndOneScalar) {
  frond_solver* solver = nullptr;
  EXPECT_EQ(frond_create_on(MPI_COMM_WORLD, number_of_this_process() == 0 ? FROND_DOUBLE : 17, &solver),
            number_of_processes() == 1 ? FROND_SUCCESS : FROND_USAGE_ERROR);
  if (number_of_processes() > 1) {
    EXPECT_NE(std::string(frond_message(solver)).find("the scalar is 17, but 1 on rank 0"), std::string::npos);
  }
  frond_destroy(solver);
  EXPECT_EQ(frond_create_on(MPI_COMM_WORLD, FROND_DOUBLE, nullptr), FROND_USAGE_ERROR);
  EXPECT_NE(std::string(frond_message(nullptr)).find("the argument solver is NULL"), std::string::npos);
  EXPECT_EQ(frond_create_on(MPI_COMM_NULL, FROND_FLOAT, &solver), FROND_USAGE_ERROR);
  EXPECT_NE(std::string(frond_message(nullptr)).find("communicator"), std::string::npos);
  if (number_of_processes() > 1) {
    const int rank = number_of_this_process();
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &between);
    EXPECT_EQ(frond_create_on(between, FROND_FLOAT, &solver), FROND_USAGE_ERROR);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
  }
}

TEST(CEmptyOnRanks, OfOrderZero) {
  frond_solver* solver = nullptr;
  ASSERT_EQ(frond_create_on(MPI_COMM_WORLD, FROND_DOUBLE, &solver), FROND_SUCCESS);
  const OwnedSolver owned(solver);
  EXPECT_EQ(frond_set_triplets(solver, 0, FROND_GENERAL, 0, nullptr, nullptr, nullptr), FROND_SUCCESS);
  std::int32_t count = -1;
  EXPECT_TRUE(succeeds(solver, frond_own_rows(solver, 0, nullptr, &count)));
  EXPECT_EQ(count, 0);
  EXPECT_TRUE(succeeds(solver, frond_solve(solver, FROND_PLAIN, 1, nullptr, 0, nullptr, 0)));
}

}  // namespace
}  // namespace frond::testing
