// SPDX-License-Identifier: BSD-3-Clause
// Tests run on one machine.
#include "loadinfo/mpi/machines.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/mpi/mpi_test.hpp"

namespace frond::test {
namespace {

TEST(Machines, AreOneForProcessesThatShareMemory) {
  const Communicator world = Communicator::world(mpi_gate());
  const Machines machines = find_machines(world);
  EXPECT_EQ(machines.of_rank, std::vector<Index>(static_cast<std::size_t>(world.num_ranks()), 0));
  EXPECT_EQ(machines.num_cores, std::vector<Index>{static_cast<Index>(sysconf(_SC_NPROCESSORS_ONLN))});
}

}  // namespace
}  // namespace frond::test
