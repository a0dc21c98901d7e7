// SPDX-License-Identifier: BSD-3-Clause
// Kills processes of programs while the library works for them. FROND_SURVIVE_LIBRARY_SEEDS=200 asks for a long run,
// FROND_SURVIVE_LIBRARY_SEED=s for a single one.
#include "frond/survive.hpp"
#include "tests/support/observers.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/programs/drawn_seeds.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

constexpr double kLimitSeconds = 2;
constexpr int kWrong = 3;
constexpr int kFenced = 9;

enum class Keeps { nothing, files, copies };

// The task of a process in its first attempts.
struct Part {
  Rank rank = 0;
  Rank num_ranks = 1;
  Keeps keeps = Keeps::nothing;
  Index dies_in_attempt = -1;
  int looks_left = 0;  // queries of stop_requested before it dies
  bool dies_in_solve = false;
};

// Returns the columns j for which has(j) of a Poisson problem on a grid.
template <class Has>
Triplets<double> some_entries(const Has& has) {
  constexpr Index kSide = 22;
  constexpr Index kOrder = kSide * kSide * kSide;
  Triplets<double> entries{.num_rows = kOrder, .num_cols = kOrder, .symmetry = Symmetry::symmetric};
  for (Index j = 0; j < kOrder; ++j) {
    if (!has(j)) {
      continue;
    }
    entries.add(j, j, 6.5);
    for (const Index step : {Index{1}, kSide, kSide * kSide}) {
      if (j / step % kSide + 1 < kSide) {
        entries.add(j + step, j, -1);
      }
    }
  }
  return entries;
}

[[noreturn]] void die() {
  kill(getpid(), SIGKILL);
  std::abort();
}

SolverOptions options_of(const Part& part, const std::string& checkpoint, const SurvivalAttempt& attempt) {
  SolverOptions options;
  options.method = Method::ldlt;
  options.factorization.num_threads = 1;
  if (part.keeps != Keeps::nothing) {
    options.checkpoint.directory = checkpoint;
    options.checkpoint.every_seconds = 0.05;
    options.checkpoint.is_in_memory = part.keeps == Keeps::copies;
  }
  if (attempt.number == part.dies_in_attempt && !part.dies_in_solve) {
    options.observer = std::make_shared<testing::Calls>(&testing::Calls::stop, [looks_left = part.looks_left]() mutable {
      if (--looks_left < 0) {
        die();
      }
      return false;
    });
  }
  return options;
}

// With a checkpoint the matrix is on rank 0; otherwise each rank has some of the columns.
Factorization<double> factorize(const Part& part, const SolverOptions& options, const SurvivalAttempt& attempt) {
  const Place& place = attempt.place;
  if (part.keeps == Keeps::nothing) {
    return Factorization<double>(some_entries([&](Index j) { return j % place.num_ranks() == place.rank(); }), options, place);
  }
  std::optional<SparseMatrix<double>> matrix;
  if (place.rank() == 0) {
    matrix = compress(some_entries([](Index) { return true; }));
  }
  const SystemMatrix<double> system = matrix ? SystemMatrix<double>(*matrix) : SystemMatrix<double>();
  return attempt.number == 0 ? Factorization<double>(system, options, place)
                             : Factorization<double>::resume(system, options, place);
}

// The work of every process, which is repeated without lost ones.
int solve(const Part& part, const std::string& checkpoint, const SurvivalAttempt& attempt) {
  const Factorization<double> factorization = factorize(part, options_of(part, checkpoint, attempt), attempt);
  const Index order = 22 * 22 * 22;
  std::vector<Index> rows;
  for (Index i = attempt.place.rank(); i < order; i += attempt.place.num_ranks()) {
    rows.push_back(i);
  }
  const std::vector<double> b(rows.size(), 1.0);
  std::vector<double> x(rows.size());
  if (attempt.number == part.dies_in_attempt && part.dies_in_solve) {
    std::thread([milliseconds = part.looks_left % 7] {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      die();
    }).detach();
  }
  for (int again = 0; again < 3; ++again) {  // the factors stay usable
    const SolveReport report = factorization.solve_rows({rows, column_view(std::span(b))}, {rows, column_view(std::span(x))});
    if (report.verdict != Verdict::solved) {
      return kWrong;
    }
  }
  return 0;
}

[[noreturn]] void run_process(const Part& part, const testing::ScratchFolder& folder) {
  int code = 2;
  try {
    std::vector<Rank> lost;
    SurvivalOptions options{.directory = folder.path("agreement"), .rank = part.rank, .num_ranks = part.num_ranks};
    options.limit_seconds = kLimitSeconds;
    options.tell_loss = [&lost](const std::vector<Rank>& of_these, const std::vector<Rank>& /*members*/) {
      lost.insert(lost.end(), of_these.begin(), of_these.end());
    };
    Rank num_members = 0;
    code = survive(options, [&](const SurvivalAttempt& attempt) {
      num_members = static_cast<Rank>(attempt.members.size());
      return attempt.place.num_ranks() == num_members ? solve(part, folder.path("checkpoint"), attempt) : kWrong;
    });
    code = static_cast<Rank>(lost.size()) + num_members == part.num_ranks ? code : kWrong + 1;
  } catch (const LossError&) {
    code = kFenced;
  } catch (const std::exception& error) {
    std::cerr << "process " << part.rank << ": " << error.what() << std::endl;
  }
  _exit(code);
}

struct Coverage {
  Count runs = 0;
  Count killed = 0;
  std::map<Keeps, Count> kept;

  [[nodiscard]] std::string missing() const { return killed > 0 && kept.size() == 3 ? "" : "kills with all that may be kept"; }
  void print() const { std::cout << "runs " << runs << ", killed " << killed << '\n'; }
};

std::string run_one(std::uint32_t seed, Coverage& coverage) {
  std::mt19937 random(seed);
  const testing::ScratchFolder folder;
  std::filesystem::create_directory(folder.path("agreement"));
  std::filesystem::create_directory(folder.path("checkpoint"));
  const auto num_ranks = static_cast<Rank>(2 + random() % 3);
  const auto keeps = static_cast<Keeps>(random() % 3);
  std::vector<pid_t> processes;
  const auto lives = static_cast<Rank>(random() % static_cast<std::uint32_t>(num_ranks));
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    Part part{.rank = rank, .num_ranks = num_ranks, .keeps = keeps};
    if (rank != lives && random() % 4 != 0) {
      part.dies_in_attempt = static_cast<Index>(random() % 2);
      part.looks_left = static_cast<int>(random() % (std::uint32_t{1} << (random() % 9)));
      part.dies_in_solve = random() % 3 == 0;
    }
    processes.push_back(fork());
    if (processes.back() == 0) {
      run_process(part, folder);
    }
  }
  std::string complaint;
  for (Rank ended = 0; ended < num_ranks; ++ended) {
    int status = 0;
    const pid_t process = wait(&status);
    const auto rank = static_cast<Rank>(std::find(processes.begin(), processes.end(), process) - processes.begin());
    note_process_ended(folder.path("agreement"), rank);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
      ++coverage.killed;
      ++coverage.kept[keeps];
    } else if (status != 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == kFenced)) {
      complaint = "process " + std::to_string(rank) + " ended with status " + std::to_string(status);
    }
  }
  ++coverage.runs;
  return complaint;
}

TEST(Survive, CallsTheWorkAgainUntilItIsDone) {
  Coverage coverage;
  testing::run_drawn_seeds("SURVIVE_LIBRARY", 12, coverage, run_one);
}

}  // namespace
}  // namespace frond
