// SPDX-License-Identifier: BSD-3-Clause
// Tests ranks that leave a factorization at random moments: nothing is lost or added twice, and ranks that have left hold nothing.
// FROND_DRAIN_SEEDS=10000 asks for a long run, FROND_DRAIN_SEED=s for one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "tests/support/programs/drawn_seeds.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/ranks/drawn_drains.hpp"
#include "tests/support/ranks/planted_failure.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {
namespace {

// One run drawn from a seed.
class DrainedRun {
 public:
  DrainedRun(std::uint32_t seed, std::string folder) : random_(seed), run_{.seed = seed}, folder_(std::move(folder)) {}

  // Returns what is wrong.
  std::string go(testing::EventCoverage& coverage) {
    const auto num_ranks = static_cast<Rank>(2 + below(15));
    const Types types = std::array{Types::sequential, Types::row_distributed, Types::grid}[below(3)];
    const Method method = std::array{Method::cholesky, Method::ldlt, Method::lu}[below(3)];
    const Values values = method == Method::cholesky ? Values::dominant : Values::zero_diagonal;
    const RankProblem<double> problem(method, static_cast<Index>(4 + below(2)), values, types, num_ranks);
    run_.buffer_bytes = Count{200} << below(12);
    run_.piece_bytes = Count{64} << below(10);
    run_.pivoting = {.pivot_threshold = 0.1, .null_threshold = 1e-40};
    run_.selection.schedule = below(2) == 0 ? Schedule::flops : Schedule::memory;
    const VirtualRunResult<double> undisturbed = factorize(problem);
    drains_.draw(random_, num_ranks, undisturbed.counts.messages, folder_, run_);
    run_.before = [this](Rank rank, Phase phase) { before(rank, phase); };
    if (below(4) == 0) {
      run_.is_disk_full = [this] { return below(2) == 0; };
    }
    const bool is_tight = below(4) == 0;
    if (is_tight) {
      run_.memory_limit = undisturbed.counts.peak_bytes * static_cast<Count>(50 + below(130)) / 100;
      run_.selection.memory_limit = below(2) == 0 ? run_.memory_limit : 0;  // 0: only the rank that refuses knows
    }
    if (below(3) == 0) {
      run_.ahead_limit_bytes = undisturbed.counts.peak_bytes * static_cast<Count>(below(30)) / 100;
    }
    const bool fails = below(6) == 0;
    if (fails) {
      failure_.draw(random_, num_ranks);
    } else if (below(6) == 0) {
      run_.stop = {.rank = static_cast<Rank>(below(static_cast<std::size_t>(num_ranks))),
                   .after_messages = static_cast<Count>(below(static_cast<std::size_t>(undisturbed.counts.messages + 1))),
                   .again = below(2) == 0};
    }
    const VirtualRunResult<double> result = factorize(problem);
    count(result, problem, coverage);
    if (!result.complaints.empty()) {
      return result.complaints.front();
    }
    if (result.failure) {
      coverage.note("failures beside drains", failure_.has_struck() ? 1 : 0);
      const bool is_stopped = result.failure->kind == Failure::Kind::stopped;
      coverage.note("stops beside drains", is_stopped ? 1 : 0);
      return is_tight || failure_.has_struck() || is_stopped ? "" : result.failure->text;
    }
    if (failure_.has_struck()) {
      return "the failure was lost";
    }
    return wrong_factors(problem, result);
  }

  [[nodiscard]] bool has_failed() const { return has_failed_; }

 private:
  [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }

  [[nodiscard]] VirtualRunResult<double> factorize(const RankProblem<double>& problem) const {
    return factorize_on_virtual_ranks<double>(problem.symbolic, problem.method, problem.a, problem.mapping, run_);
  }

  void before(Rank rank, Phase phase) {
    drains_.before(phase);
    failure_.before(rank, phase);
  }

  void count(const VirtualRunResult<double>& result, const RankProblem<double>& problem, testing::EventCoverage& coverage) {
    coverage.note("runs");
    coverage.note("records", result.counts.records);
    coverage.note("refusals", result.counts.refused_drains);
    coverage.note("pauses that were given up", result.counts.stuck_pauses);
    coverage.note("messages of later records", result.counts.put_aside);
    coverage.note("parts that moved", result.counts.parts_sent);
    coverage.note("parts that a full disk did not take", result.counts.parts_not_written);
    if (drains_.phase() && result.counts.pauses > 0) {
      coverage.note("drains while " + to_string(*drains_.phase()));
    }
    has_failed_ = result.failure.has_value();
    if (result.counts.records == 0) {
      return;
    }
    coverage.note("parts that moved through files", result.counts.parts_sent > 0 && !run_.drains[0].folder.empty() ? 1 : 0);
    const auto left = [&result](Rank rank) {
      const auto members = result.mapping.members();
      return !std::binary_search(members.begin(), members.end(), rank);
    };
    coverage.note("drains of rank 0", left(0) ? 1 : 0);
    coverage.note("drains of two ranks", run_.drains[0].leaving.size() > 1 && left(run_.drains[0].leaving[1]) ? 1 : 0);
    coverage.note("drains one after the other", result.counts.records > 1 ? 1 : 0);
    const RootGrid& grid = result.mapping.root_grid();
    coverage.note("roots on a smaller grid",
                  grid.node != kNoNode && grid.ranks.size() < problem.mapping.root_grid().ranks.size() ? 1 : 0);
  }

  std::mt19937 random_;
  VirtualRun run_;
  std::string folder_;
  DrawnDrains drains_;
  PlantedFailure failure_;
  bool has_failed_ = false;
};

std::string run_drain(std::uint32_t seed, testing::EventCoverage& coverage) {
  const testing::ScratchFolder folder;
  try {
    DrainedRun run(seed, folder.path("."));
    std::string complaint = run.go(coverage);
    return complaint.empty() && folder.num_files() > 0 && !run.has_failed() ? "files are left" : complaint;
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(Drain, LosesNothingAndAddsNothingTwice) {
  testing::EventCoverage coverage(
      "records; refusals; pauses that were given up; messages of later records; parts that moved; drains of rank 0; "
      "drains of two ranks; drains one after the other; roots on a smaller grid; failures beside drains; stops beside"
      " drains; parts that moved through files; parts that a full disk did not take");
  for (const Phase phase : {Phase::job, Phase::announcing, Phase::choosing_slaves, Phase::expecting, Phase::receiving_rows,
                            Phase::assembling, Phase::eliminating, Phase::factorizing_root, Phase::sending_rows}) {
    coverage.want("drains while " + to_string(phase));
  }
  testing::run_drawn_seeds("DRAIN", 300, coverage, run_drain);
}

}  // namespace
}  // namespace frond::test
