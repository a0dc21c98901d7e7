// SPDX-License-Identifier: BSD-3-Clause
// Provides what tests on process grids share: their communicators, and a common seed.
#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

#include "analysis/mapping/node_types.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond::test {

/// The last ranks form the grid; the others wait.
class GridTest : public ::testing::Test {
 protected:
  GridTest() : world_(mpi_world(mpi_gate())), control_(world_.duplicate()) {
    seed_ = static_cast<std::uint32_t>(sum_over_ranks(control_, {world_.rank() == 0 ? std::random_device{}() : 0}, [] {}).front());
  }

  /// Returns this process's rank in the grid; negative if it is outside.
  [[nodiscard]] Rank grid_rank(GridShape shape) const { return world_.rank() - (world_.num_ranks() - shape.size()); }

  /// Must be called by all members of the grid.
  [[nodiscard]] Communicator grid_ranks(GridShape shape) const {
    std::vector<Rank> ranks(static_cast<std::size_t>(shape.size()));
    std::iota(ranks.begin(), ranks.end(), world_.num_ranks() - shape.size());
    return world_.of_ranks(ranks);
  }

  void wait_for_all() const {
    EXPECT_EQ(sum_over_ranks(control_, {1}, [] {}).front(), world_.num_ranks());
  }

  Communicator world_;
  Communicator control_;  // of the tests themselves
  std::uint32_t seed_ = 0;
};

}  // namespace frond::test
