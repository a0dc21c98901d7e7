// SPDX-License-Identifier: BSD-3-Clause
// Tests that the library reports to the program which rank waits and which is lost, while the system is solved all the same.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "loadinfo/messages/mpi/mpi_channel.hpp"
#include "loadinfo/messages/mpi/mpi_rank_watch.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"
#include "tests/support/matrices/expect_solves.hpp"
#include "tests/support/observers.hpp"

namespace frond {
namespace {

void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

class SolverWatch : public testing::OnRanks {
 protected:
  void expect_solution(const SolverOptions& options) {
    const SparseMatrix<double> matrix = testing::laplacian<double>(6);
    testing::expect_solves(factorize<double>(matrix, options), matrix);
  }
};

// The last rank pauses in the middle of its work until rank 0 has reported that it waits.
TEST_F(SolverWatch, TellsWhatARankWaitsForAndGoesOn) {
  if (ranks_.num_ranks() == 1) {
    GTEST_SKIP() << "one rank waits for nobody";
  }
  const Rank last = ranks_.num_ranks() - 1;
  MpiChannel channel(ranks_.duplicate(), 1 << 16);
  std::vector<std::string> told;
  SolverOptions options;
  options.factorization.num_threads = 1;
  options.analysis.mapping.upper_node_seconds = 0;
  options.analysis.mapping.layer_tolerance = 0.01;
  if (ranks_.rank() == 0) {
    options.ranks.watchdog_seconds = 0.05;
    options.observer = std::make_shared<testing::Calls>(&testing::Calls::text, [&](const std::string& text) {
      told.push_back(text);
      if (told.size() == 1) {
        const std::array<std::byte, 1> body{};
        EXPECT_TRUE(channel.send(last, std::span<const std::byte>(body)));
      }
    });
  } else if (ranks_.rank() == last) {
    options.observer = std::make_shared<testing::Calls>(&testing::Calls::part, [&, has_heard = false](double) mutable {
      while (!has_heard) {
        nap();
        has_heard = channel.poll().has_value();
      }
    });
  }
  expect_solution(options);
  if (ranks_.rank() == 0) {
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.front().rfind("rank 0 has been idle for ", 0), 0U) << told.front();
  } else {
    EXPECT_TRUE(told.empty());
  }
}

TEST_F(SolverWatch, LosesNobodyDuringASolve) {
  if (ranks_.gate().level() != MpiThreadLevel::multiple) {
    GTEST_SKIP() << "watching takes MPI_THREAD_MULTIPLE";
  }
  std::atomic<int> num_lost{0};
  const MpiRankWatch watch(ranks_, 20, [&num_lost](Rank) { ++num_lost; });
  expect_solution({});
  EXPECT_EQ(num_lost, 0);
}

// Rank 0 expects heartbeats more often than the others send them, and names one of them; then it stops sending its own.
TEST_F(SolverWatch, NamesASilentRankToTheProgramWhichMayGoOn) {
  if (ranks_.gate().level() != MpiThreadLevel::multiple || ranks_.num_ranks() == 1) {
    GTEST_SKIP() << "watching takes MPI_THREAD_MULTIPLE and another rank";
  }
  const bool is_first = ranks_.rank() == 0;
  std::atomic<Rank> lost{-1};
  std::atomic<int> num_calls{0};
  {
    const MpiRankWatch watch(ranks_, is_first ? 0.05 : 2, [&](Rank rank) {
      lost = rank;
      ++num_calls;
    });
    expect_solution({});
    while (num_calls == 0) {
      nap();
    }
  }
  EXPECT_EQ(lost == 0, !is_first);
  EXPECT_EQ(num_calls, 1);
}

}  // namespace
}  // namespace frond
