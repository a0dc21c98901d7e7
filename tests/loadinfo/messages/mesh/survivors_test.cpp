// SPDX-License-Identifier: BSD-3-Clause
// Lets processes meet again and again while others are killed or stopped: all survivors reach the same end, and a process that was
// given up ends on its own. FROND_SURVIVORS_SEEDS=1000 asks for a long run, FROND_SURVIVORS_SEED=s for one.
#include "loadinfo/messages/mesh/survivors.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <thread>

#include "loadinfo/messages/ranks/collective.hpp"
#include "tests/support/programs/drawn_seeds.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/run_threads.hpp"

namespace frond {
namespace {

constexpr double kLimitSeconds = 0.5;
constexpr int kNumMeetings = 60;
constexpr int kFenced = 9;

enum class Fate { lives, is_killed, is_stopped };  // for longer than the others wait

// Meets repeatedly; returns 0 if all sums are right.
int work_and_meet(Survivors& survivors) {
  const Communicator ranks = survivors.communicator();
  Count sum = 0;
  for (int k = 0; k < kNumMeetings; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (const Rank rank : all_gather_values(ranks, survivors.rank())) {
      sum += rank;
    }
  }
  const std::vector<Rank>& members = survivors.record().members;
  const Count expected = kNumMeetings * std::accumulate(members.begin(), members.end(), Count{0});
  return sum == expected ? 0 : 3;
}

[[noreturn]] void run_process(const std::string& folder, Rank rank, Rank num_ranks) {
  try {
    Survivors survivors({.directory = folder, .rank = rank, .num_ranks = num_ranks}, kLimitSeconds);
    std::optional<int> code;
    while (!code) {
      try {
        code = survivors.end(work_and_meet(survivors));
      } catch (const LossError&) {
        code = survivors.go_on();
      }
    }
    _exit(*code);
  } catch (const LossError&) {
    _exit(kFenced);
  } catch (const std::exception& error) {
    std::cerr << "process " << rank << ": " << error.what() << std::endl;
    _exit(2);
  }
}

struct SurvivorCoverage {
  Count runs = 0;
  Count killed = 0;
  Count fenced = 0;
  Count given_up = 0;            // though they lived
  Count ended_all_the_same = 0;  // stopped processes that came back in time for the end
  Count alone = 0;               // at the end

  [[nodiscard]] std::string missing() const {
    return std::string(killed > 0 ? "" : "kills; ") + (fenced > 0 ? "" : "fenced processes; ") +
           (alone > 0 ? "" : "the last one; ");
  }
  void print() const {
    std::cout << "runs " << runs << ", killed " << killed << ", fenced " << fenced << ", stopped, but ended " << ended_all_the_same
              << ", given up without a reason " << given_up << ", alone in the end " << alone << '\n';
  }
};

std::string run_survivors(std::uint32_t seed, SurvivorCoverage& coverage) {
  std::mt19937 random(seed);
  const testing::ScratchFolder folder;
  const auto num_ranks = static_cast<Rank>(2 + random() % 5);
  std::vector<Fate> fates(static_cast<std::size_t>(num_ranks), Fate::lives);
  const auto num_victims = 1 + random() % static_cast<std::uint32_t>(num_ranks - 1);
  for (std::size_t k = 0; k < num_victims; ++k) {
    fates[k] = random() % 3 == 0 ? Fate::is_stopped : Fate::is_killed;
  }
  std::shuffle(fates.begin(), fates.end(), random);
  std::vector<pid_t> processes;
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    processes.push_back(fork());
    if (processes.back() == 0) {
      run_process(folder.path("."), rank, num_ranks);
    }
  }
  while (folder.num_files() < num_ranks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // all have met
  for (std::size_t rank = 0; rank < fates.size(); ++rank) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
    if (fates[rank] != Fate::lives) {
      kill(processes[rank], fates[rank] == Fate::is_killed ? SIGKILL : SIGSTOP);
    }
  }
  std::string complaint;
  const auto take_end = [&](std::size_t rank) {
    int status = 0;
    waitpid(processes[rank], &status, 0);
    const bool is_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && fates[rank] == Fate::is_killed;
    // On a busy machine a process that was not stopped may be given up: that is harmless as well.
    const bool is_fenced = WIFEXITED(status) && WEXITSTATUS(status) == kFenced;
    coverage.killed += is_killed ? 1 : 0;
    coverage.fenced += is_fenced && fates[rank] == Fate::is_stopped ? 1 : 0;
    coverage.given_up += is_fenced && fates[rank] == Fate::lives ? 1 : 0;
    coverage.ended_all_the_same += status == 0 && fates[rank] == Fate::is_stopped ? 1 : 0;
    if (status != 0 && !is_killed && !is_fenced) {
      complaint = "process " + std::to_string(rank) + " ended with status " + std::to_string(status);
    }
  };
  const auto of_fate = [&](Fate fate, const auto& what) {
    for (std::size_t rank = 0; rank < fates.size(); ++rank) {
      if (fates[rank] == fate) {
        what(rank);
      }
    }
  };
  of_fate(Fate::lives, take_end);
  of_fate(Fate::is_killed, take_end);
  of_fate(Fate::is_stopped, [&](std::size_t rank) { kill(processes[rank], SIGCONT); });
  of_fate(Fate::is_stopped, take_end);
  const Arbiter arbiter(folder.path("."));
  std::optional<SurvivalRecord> end = arbiter.find(1);
  while (end && !end->end_code) {
    end = arbiter.find(end->number + 1);
  }
  if (!end || end->end_code != 0) {
    complaint = "the run has no end, or a bad one";
  } else {
    coverage.alone += end->members.size() == 1 ? 1 : 0;
  }
  ++coverage.runs;
  return complaint;
}

TEST(Survivors, ComeToTheSameEnd) {
  SurvivorCoverage coverage;
  testing::run_drawn_seeds("SURVIVORS", 12, coverage, run_survivors);
}

TEST(Arbiter, SealsTheFirstRecordOnly) {
  const testing::ScratchFolder folder;
  const Arbiter arbiter(folder.path("."));
  EXPECT_EQ(arbiter.find(1), std::nullopt);
  std::vector<SurvivalRecord> sealed(8);
  testing::run_threads(8, [&](Rank rank) { sealed[rank] = arbiter.seal({1, {rank, 100}}); });
  for (const SurvivalRecord& record : sealed) {
    EXPECT_EQ(record, sealed.front());
  }
  EXPECT_EQ(arbiter.find(1), sealed.front());
  EXPECT_EQ(arbiter.seal({2, {3}, 4}).end_code, 4);
  EXPECT_EQ(arbiter.find(2), (SurvivalRecord{2, {3}, 4}));
  EXPECT_EQ(folder.num_files(), 2);
}

}  // namespace
}  // namespace frond
