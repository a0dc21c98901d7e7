// SPDX-License-Identifier: BSD-3-Clause
// Tests checkpoints on virtual ranks, some of which leave: stopped at a random moment, and resumed on another number of ranks.
// FROND_CHECKPOINT_SEEDS=10000 asks for a long run, FROND_CHECKPOINT_SEED=s for a single one.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <complex>
#include <filesystem>
#include <random>
#include <string>
#include <thread>

#include "frond/error.hpp"
#include "tests/solver/storage/checkpoint/archived_runs.hpp"
#include "tests/support/programs/drawn_seeds.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/ranks/drawn_drains.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {
namespace {

constexpr std::array<Rank, 6> kRanks = {1, 2, 3, 5, 8, 16};

// Runs a factorization drawn from a seed, in up to four runs.
template <class S>
class CheckpointedRuns {
 public:
  CheckpointedRuns(std::mt19937& random, const testing::ScratchFolder& folder, testing::EventCoverage& coverage)
      : random_(random), directory_(folder.path("checkpoint")), moves_(folder.path("moves")), coverage_(coverage) {
    std::filesystem::create_directory(directory_);
    std::filesystem::create_directory(moves_);
  }

  // Returns what went wrong; empty if nothing did.
  std::string go() {
    const RankProblem<S> problem = draw_problem<S>(random_, kRanks[below(kRanks.size())]);
    const Inertia inertia = problem.run_on_one_rank().report.inertia;
    const VirtualRunResult<S> undisturbed =
        factorize_on_virtual_ranks<S>(problem.symbolic, problem.method, problem.a, problem.mapping, {.seed = seed()});
    for (int again = 0; again < 4; ++again) {
      const RankProblem<S> mapped =
          again == 0 ? problem : mapped_to(problem, kTypes[below(kTypes.size())], kRanks[below(kRanks.size())]);
      const VirtualRunResult<S> result = run(mapped, undisturbed.counts, again == 3);
      if (!result.complaints.empty()) {
        return result.complaints.front();
      }
      if (result.failure && again < 3) {
        coverage_.note("stops", result.failure->kind == Failure::Kind::stopped ? 1 : 0);
        coverage_.note("lack of memory", result.failure->kind == Failure::Kind::memory ? 1 : 0);
      } else if (std::string complaint = judge(mapped, result, inertia); !complaint.empty()) {
        return complaint;
      }
    }
    return "";
  }

 private:
  [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }
  [[nodiscard]] std::uint32_t seed() { return static_cast<std::uint32_t>(random_()); }

  // Runs once; the last run is neither stopped nor short of memory.
  VirtualRunResult<S> run(const RankProblem<S>& problem, const VirtualRunCounts& undisturbed, bool is_last) {
    const Rank num_ranks = problem.mapping.num_ranks();
    VirtualRun run{.seed = seed(), .buffer_bytes = Count{200} << below(12), .piece_bytes = Count{64} << below(10)};
    if (!is_last && below(4) == 0) {
      run.memory_limit = undisturbed.peak_bytes * static_cast<Count>(40 + below(130)) / 100;
    }
    DrawnDrains drains;
    if (num_ranks > 1 && below(3) > 0) {
      drains.draw(random_, num_ranks, undisturbed.messages, moves_, run);
    }
    std::size_t steps_left = is_last || below(4) == 0 ? 0 : 1 + below(std::size_t{1} << (3 + below(8)));
    const bool is_root_listed = problem.mapping.root_grid().node != kNoNode && below(3) == 0;
    const Phase listed = is_root_listed ? Phase::factorizing_root : kPhases[below(kPhases.size())];
    std::size_t times_left = is_root_listed ? 1 : 1 + below(std::size_t{1} << below(6));
    run.before = [&](Rank, Phase phase) {
      drains.before(phase);
      if (phase == listed && times_left > 0 && --times_left == 0) {
        if (waits_for_list()) {
          coverage_.note("lists while " + to_string(phase));
        }
      }
      if (steps_left > 0 && --steps_left == 0) {
        throw StoppedError("enough");
      }
    };
    VirtualRunResult<S> result = run_with_archives(problem, run);
    coverage_.note("runs");
    if (drains.phase() && result.counts.pauses > 0) {
      coverage_.note("drains while " + to_string(*drains.phase()));
    }
    coverage_.note("records", result.counts.records);
    coverage_.note("parts that moved", result.counts.parts_sent);
    coverage_.note("refused drains", result.counts.refused_drains);
    has_had_record_ = has_had_record_ || result.counts.records > 0;
    return result;
  }

  // Returns whether the threads made a list while this one waited.
  [[nodiscard]] bool waits_for_list() const {
    const auto number = [this] { return last_list(directory_).value().number; };
    const Index before = number();
    for (int i = 0; i < 10 && number() == before; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return number() > before;
  }

  // Runs with the archives of all ranks, in this process and in one directory.
  VirtualRunResult<S> run_with_archives(const RankProblem<S>& problem, const VirtualRun& run) {
    Archives<S> archives(problem, directory_);
    const Count num_found = archives[0].counts().num_fronts_found;
    coverage_.note("fronts found", num_found);
    coverage_.note("runs that go on where a rank has left", has_had_record_ && num_found > 0 ? 1 : 0);
    archives.begin();
    VirtualRunResult<S> result;
    try {
      result =
          factorize_on_virtual_ranks<S>(problem.symbolic, problem.method, problem.a, problem.mapping, run, {}, archives.stores());
    } catch (const MemoryError&) {  // no room for the fronts found
      result.failure = make_failure(0, std::current_exception());
    }
    for (Rank rank = 0; rank < archives.size(); ++rank) {
      if (const auto error = archives[rank].counts().log.error) {
        result.complaints.push_back(*error);
      }
    }
    coverage_.note("lists", archives[0].counts().num_lists);
    return result;
  }

  std::string judge(const RankProblem<S>& problem, const VirtualRunResult<S>& result, const Inertia& inertia) {
    for (const RankFactors<S>& factors : result.factors) {
      coverage_.note("shares", static_cast<Count>(factors.shares.size()));
    }
    return judge_factors(problem, result, inertia);
  }

  std::mt19937& random_;
  std::string directory_;
  std::string moves_;
  testing::EventCoverage& coverage_;
  bool has_had_record_ = false;
};

TEST(RankArchive, GoesOnWithOtherRanksOfWhichSomeLeave) {
  testing::EventCoverage coverage(
      "stops; lack of memory; fronts found; shares; records; runs that go on where a rank has left; parts that moved;"
      " refused drains");
  for (const Phase phase : kPhases) {
    coverage.want("lists while " + to_string(phase));
    if (phase != Phase::factorizing_root && phase != Phase::ending) {  // drain_test.cpp lets ranks leave during the root
      coverage.want("drains while " + to_string(phase));
    }
  }
  testing::run_drawn_seeds("CHECKPOINT", 60, coverage, go_with_archives<CheckpointedRuns>);
}

}  // namespace
}  // namespace frond::test
