// SPDX-License-Identifier: BSD-3-Clause
// Tests options shared by all ranks, and a rank without memory for them.
#include "solver/distributed/mpi/options.hpp"

#include <gtest/gtest.h>

#include <cstddef>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "tests/support/programs/address_space.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

TEST(SharedOptions, LackMemoryOnAllRanksIfOnOne) {
  if (!testing::kFitsAddressSpace) {
    GTEST_SKIP() << "a sanitizer maps memory of its own";
  }
  const Communicator ranks = mpi_world(test::mpi_gate());
  const bool is_last = ranks.rank() == ranks.num_ranks() - 1;
  constexpr std::size_t kLength = std::size_t{1} << 26;
  SolverOptions options;
  if (ranks.rank() == 0) {
    options.analysis.schur_variables.resize(kLength);
  }
  const testing::AddressSpace space(is_last ? kLength : std::size_t{1} << 34);
  EXPECT_THROW((void)shared_options(ranks, options), MemoryError);
}

}  // namespace
}  // namespace frond
