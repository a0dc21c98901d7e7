// SPDX-License-Identifier: BSD-3-Clause
// Tests that an error thrown on one rank is thrown on all, with the number of that rank.
#include "solver/distributed/mpi/agreement.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"

#include <gtest/gtest.h>

#include <new>
#include <string>

#include "factorization/memory/work_budget.hpp"
#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

TEST(Agreement, ReturnsWhenNobodyThrows) {
  const Communicator ranks = mpi_world(test::mpi_gate());
  int num_done = 0;
  agree(ranks, [&] { ++num_done; });
  EXPECT_EQ(num_done, 1);
}

TEST(Agreement, ThrowsTheErrorOfTheLowestRankOnAll) {
  const Communicator ranks = mpi_world(test::mpi_gate());
  const Rank last = ranks.num_ranks() - 1;
  const auto error = testing::error_of<MemoryError>([&] {
    agree(ranks, [&] {
      if (ranks.rank() >= last - 1) {
        throw MemoryError("planted on " + std::to_string(ranks.rank()), 7, 5);
      }
    });
  });
  const std::string first = std::to_string(std::max(0, last - 1));
  EXPECT_EQ(error.what(), "rank " + first + ": planted on " + first);
  EXPECT_EQ(error.needed_bytes(), 7);
  EXPECT_EQ(error.limit_bytes(), 5);
}

TEST(Agreement, KeepsTheTypes) {
  const Communicator ranks = mpi_world(test::mpi_gate());
  const auto on_rank_0 = [&](auto exception) {
    return [&ranks, exception] {
      if (ranks.rank() == 0) {
        throw exception;
      }
    };
  };
  EXPECT_THROW(agree(ranks, on_rank_0(UsageError("planted"))), UsageError);
  EXPECT_THROW(agree(ranks, on_rank_0(InputError("A.mtx", 1, "planted"))), InputError);
  EXPECT_THROW(agree(ranks, on_rank_0(OutputError("planted"))), OutputError);
  EXPECT_THROW(agree(ranks, on_rank_0(InternalError("planted"))), InternalError);
  EXPECT_THROW(agree(ranks, on_rank_0(std::bad_alloc())), MemoryError);
  EXPECT_THROW(agree(ranks, on_rank_0(BudgetError("planted", {}))), BudgetError);
}

}  // namespace
}  // namespace frond
