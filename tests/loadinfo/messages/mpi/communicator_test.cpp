// SPDX-License-Identifier: BSD-3-Clause
// Tests MPI as it was started, communicators and errors.
#include "loadinfo/messages/ranks/communicator.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond::test {
namespace {

TEST(MpiEnvironment, RefusesToStartTwice) { EXPECT_THROW(const MpiEnvironment second(MpiThreadLevel::multiple), UsageError); }

TEST(MpiGate, KeepsOthersOutOnlyWhereMpiNeedsIt) {
  for (const MpiThreadLevel level :
       {MpiThreadLevel::single, MpiThreadLevel::funneled, MpiThreadLevel::serialized, MpiThreadLevel::multiple}) {
    MpiGate gate(level);
    EXPECT_EQ(gate.enter().owns_lock(), level == MpiThreadLevel::serialized);
    EXPECT_EQ(gate.threads_may_call(), level == MpiThreadLevel::serialized || level == MpiThreadLevel::multiple);
  }
}

TEST(Communicator, IsADuplicateWithTheSameRanks) {
  const Communicator world = mpi_world(mpi_gate());
  Communicator copy = world.duplicate();
  EXPECT_EQ(copy.rank(), world.rank());
  EXPECT_EQ(copy.num_ranks(), world.num_ranks());
  EXPECT_EQ(sum_over_ranks(copy, {1}, [] {}), std::vector<Count>{world.num_ranks()});
  int comparison = MPI_IDENT;
  check_mpi(MPI_Comm_compare(mpi_comm(copy), mpi_comm(world), &comparison), "MPI_Comm_compare");
  EXPECT_EQ(comparison, MPI_CONGRUENT);
  const Communicator moved = std::move(copy);
  EXPECT_EQ(moved.num_ranks(), world.num_ranks());
}

TEST(Communicator, IsMadeOfSomeRanksWithoutTheOthers) {
  const Communicator world = mpi_world(mpi_gate());
  std::vector<Rank> ranks;
  for (Rank rank = world.num_ranks() - 1; rank >= world.num_ranks() / 2; --rank) {
    ranks.push_back(rank);
  }
  const auto mine = std::find(ranks.begin(), ranks.end(), world.rank());
  if (mine == ranks.end()) {
    return;
  }
  const Communicator part = world.of_ranks(ranks);
  EXPECT_EQ(part.rank(), mine - ranks.begin());
  EXPECT_EQ(part.num_ranks(), static_cast<Rank>(ranks.size()));
  EXPECT_EQ(sum_over_ranks(part, {world.rank()}, [] {}).front(), std::accumulate(ranks.begin(), ranks.end(), 0));
}

// The other ranks join only after a second thread of rank 0 has sent them a message, while its first thread waits for them.
TEST(Communicator, OfSomeRanksLetsOtherThreadsCallMpi) {
  if (mpi_thread_level() < MpiThreadLevel::serialized) {
    GTEST_SKIP() << "other threads may not call MPI";
  }
  const Communicator world = mpi_world(std::make_shared<MpiGate>(MpiThreadLevel::serialized));
  const Communicator calls = world.duplicate();
  std::vector<Rank> ranks(static_cast<std::size_t>(world.num_ranks()));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::optional<std::jthread> caller;
  if (world.rank() == 0) {
    caller.emplace([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      for (Rank other = 1; other < world.num_ranks(); ++other) {
        calls.carrier().send(other, {});
      }
    });
  } else {
    EXPECT_EQ(calls.carrier().receive(0, {}), 0);
  }
  EXPECT_EQ(world.of_ranks(ranks).num_ranks(), world.num_ranks());
}

TEST(Communicator, ReportsErrorsAsExceptions) {
  const Communicator world = mpi_world(mpi_gate());
  const auto error = testing::error_of<CommunicationError>(
      [&] { check_mpi(MPI_Send(nullptr, 0, MPI_BYTE, world.num_ranks(), 0, mpi_comm(world)), "MPI_Send"); });
  EXPECT_NE(std::string(error.what()).find("MPI_Send failed with code"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("nvalid rank"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace frond::test
