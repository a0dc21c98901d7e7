// SPDX-License-Identifier: BSD-3-Clause
// Tests collective operations with late ranks, and what they find out about machines.
#include "loadinfo/messages/ranks/collective.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <chrono>
#include <span>
#include <string>
#include <thread>

#include "loadinfo/messages/ranks/node_layout.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond::test {
namespace {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class Collective : public ::testing::Test {
 protected:
  Communicator ranks_ = mpi_world(mpi_gate());
};

TEST_F(Collective, BroadcastsFromAnyRank) {
  for (Rank root = 0; root < ranks_.num_ranks(); ++root) {
    std::vector<int> list(100000, ranks_.rank());
    broadcast(ranks_, root, std::as_writable_bytes(std::span(list)));
    EXPECT_EQ(list, std::vector<int>(100000, root));
  }
}

TEST_F(Collective, GathersDifferentLengths) {
  const std::string mine(static_cast<std::size_t>(ranks_.rank() * 7), static_cast<char>('a' + ranks_.rank()));
  const auto parts = all_gather(ranks_, std::as_bytes(std::span(mine)));
  ASSERT_EQ(static_cast<Rank>(parts.size()), ranks_.num_ranks());
  std::vector<Count> lengths;
  std::string all;
  for (Rank rank = 0; rank < ranks_.num_ranks(); ++rank) {
    const std::string expected(static_cast<std::size_t>(rank * 7), static_cast<char>('a' + rank));
    const auto& part = parts[rank];
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(part.data()), part.size()), expected);
    lengths.push_back(Count{rank} * 7);
    all += expected;
  }
  const Rank root = ranks_.num_ranks() - 1;
  std::string gathered(ranks_.rank() == root ? all.size() : 0, ' ');
  gather(ranks_, root, std::as_bytes(std::span(mine)), lengths, std::as_writable_bytes(std::span(gathered)));
  EXPECT_EQ(gathered, ranks_.rank() == root ? all : "");
}

TEST_F(Collective, GathersValues) {
  const std::vector<double> values = all_gather_values(ranks_, 0.5 * ranks_.rank());
  for (Rank rank = 0; rank < ranks_.num_ranks(); ++rank) {
    EXPECT_EQ(values[rank], 0.5 * rank);
  }
}

TEST_F(Collective, SleepsWhileARankIsLate) {
  if (ranks_.rank() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  const double before = cpu_seconds();
  (void)all_gather(ranks_, {});
  EXPECT_LT(cpu_seconds() - before, 0.15);
}

TEST_F(Collective, FindsTheRanksOfAMachine) {
  const NodeLayout layout = find_node_layout(ranks_, std::vector<int>{3, 7});
  EXPECT_EQ(layout.num_sharing, ranks_.num_ranks());  // tests run on one machine
  EXPECT_EQ(layout.index_sharing, ranks_.rank());
  EXPECT_EQ(layout.one_rank_per_core, ranks_.num_ranks() == 1 ? std::vector<Rank>{0} : (std::vector<Rank>{0, 1}));
}

TEST_F(Collective, TellsRanksApartThatAreKeptToProcessorsOfTheirOwn) {
  const NodeLayout layout = find_node_layout(ranks_, std::vector<int>{ranks_.rank() / 2});  // two ranks each
  EXPECT_EQ(layout.index_sharing, ranks_.rank() % 2);
  EXPECT_EQ(layout.num_sharing, ranks_.rank() / 2 * 2 + 1 < ranks_.num_ranks() ? 2 : 1);
  EXPECT_EQ(layout.one_rank_per_core.size(), static_cast<std::size_t>((ranks_.num_ranks() + 1) / 2));
}

}  // namespace
}  // namespace frond::test
