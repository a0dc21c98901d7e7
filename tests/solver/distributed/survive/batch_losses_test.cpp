// SPDX-License-Identifier: BSD-3-Clause
// Kills workers of unwatched batches: the first process must still finish the batch.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "frond/batch.hpp"
#include "frond/error.hpp"
#include "frond/survive.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

constexpr Count kNumSystems = 40;

// A worker dies before its system of a given number begins; this one never does.
constexpr int kNever = 1000;

int solve_all(const Batch& batch, const SurvivalAttempt& attempt, int num_systems_to_live) {
  std::vector<Count> systems(kNumSystems);
  std::iota(systems.begin(), systems.end(), 0);
  std::map<Count, int> times;
  batch.run(
      attempt.place, systems,
      [&](Count k) {
        if (num_systems_to_live-- == 0) {
          kill(getpid(), SIGKILL);
        }
        SparseMatrix<double> matrix = testing::laplacian<double>(7);
        matrix.values.front() += static_cast<double>(k);
        const std::vector<double> b(static_cast<std::size_t>(matrix.num_rows), 1.0);
        std::vector<double> x(b.size());
        return std::string(to_string(batch.solve<double>(matrix, column_view(std::span(b)), column_view(std::span(x))).verdict));
      },
      [&](Count k, const std::string& result) { times[k] += result == "solved" ? 1 : 1000; });
  for (Count k = 0; k < kNumSystems && attempt.place.rank() == 0; ++k) {
    if (times[k] != 1) {
      return 3;
    }
  }
  return 0;
}

[[noreturn]] void run_process(const std::string& folder, Rank rank, Rank num_ranks, const BatchOptions& options,
                              int num_systems_to_live) {
  try {
    const SurvivalOptions unwatched{.directory = folder, .rank = rank, .num_ranks = num_ranks, .machine = {}, .limit_seconds = 0};
    const Batch batch(options);
    _exit(survive(unwatched, [&](const SurvivalAttempt& attempt) { return solve_all(batch, attempt, num_systems_to_live); }));
  } catch (...) {
    _exit(2);
  }
}

TEST(BatchLosses, OfAllWorkersAreNoticedByNobody) {
  std::mt19937 random(7);
  for (int round = 0; round < 12; ++round) {
    const testing::ScratchFolder folder;
    const auto num_ranks = static_cast<Rank>(2 + random() % 4);
    const BatchOptions options{
        .num_workers = 1, .has_one_pattern = round % 2 == 1, .chunks = round % 3 == 0 ? ChunkKind::gss : ChunkKind::ss};
    std::vector<pid_t> children;
    for (Rank rank = 0; rank < num_ranks; ++rank) {
      const int num_systems_to_live = rank == 0 ? kNever : static_cast<int>(random() % 6);
      children.push_back(fork());
      if (children.back() == 0) {
        run_process(folder.path(""), rank, num_ranks, options, num_systems_to_live);
      }
    }
    int status = 0;
    waitpid(children.front(), &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "round " << round << ", status " << status;
    for (std::size_t k = 1; k < children.size(); ++k) {
      waitpid(children[k], &status, 0);  // killed or finished
    }
  }
}

// A first process that ends at once, or fails, and never sends the message about the end of the batch.
TEST(BatchLosses, EndWithTheFirstProcessWhoseLastMessageIsLost) {
  for (const bool fails : {false, true}) {
    const testing::ScratchFolder folder;
    const auto options = [&](Rank rank) {
      return SurvivalOptions{.directory = folder.path(""), .rank = rank, .num_ranks = 2, .machine = {}, .limit_seconds = 0};
    };
    const pid_t worker = fork();
    if (worker == 0) {
      try {
        const Batch batch({.num_workers = 1});
        _exit(survive(options(1), [&](const SurvivalAttempt& attempt) { return solve_all(batch, attempt, kNever); }));
      } catch (const LossError&) {
        _exit(9);
      } catch (...) {
        _exit(2);
      }
    }
    const auto end = [&](const SurvivalAttempt& /*attempt*/) { return fails ? throw std::runtime_error("no batch") : 5; };
    if (fails) {
      EXPECT_THROW((void)survive(options(0), end), std::runtime_error);
    } else {
      EXPECT_EQ(survive(options(0), end), 5);
    }
    int status = 0;
    waitpid(worker, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), fails ? 9 : 5);
  }
}

}  // namespace
}  // namespace frond
