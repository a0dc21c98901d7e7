// SPDX-License-Identifier: BSD-3-Clause
// Kills workers of unwatched batches: the first process must still finish the batch.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "frond/batch.hpp"
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

}  // namespace
}  // namespace frond
