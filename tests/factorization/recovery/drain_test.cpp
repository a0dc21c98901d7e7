// SPDX-License-Identifier: BSD-3-Clause
// Tests ranks that leave a factorization at random moments: nothing is lost or added twice, and ranks that have left hold nothing.
// FROND_DRAIN_SEEDS=10000 asks for a long run, FROND_DRAIN_SEED=s for one.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/support/ranks/drawn_run.hpp"

namespace frond::test {
namespace {

// One run drawn from a seed.
class DrainedRun : DrawnRun {
 public:
  using DrawnRun::DrawnRun;

  // Returns what is wrong.
  std::string go(testing::EventCoverage& coverage) {
    const RankProblem<double> problem(method_, static_cast<Index>(4 + below(2)), values_, types_, num_ranks_);
    const VirtualRunResult<double> undisturbed = factorize(problem);
    draw_drains(undisturbed.counts);
    if (below(4) == 0) {
      run_.is_disk_full = [this] { return below(2) == 0; };
    }
    draw_troubles(undisturbed.counts);
    const VirtualRunResult<double> result = factorize(problem);
    count(result, problem, coverage);
    std::string complaint = judge(problem, result, coverage);
    const bool leaves_files = complaint.empty() && !result.failure && !std::filesystem::is_empty(folder_);
    return leaves_files ? "files are left" : complaint;
  }

 private:
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
};

TEST(Drain, LosesNothingAndAddsNothingTwice) {
  testing::EventCoverage coverage(
      "records; refusals; pauses that were given up; messages of later records; parts that moved; drains of rank 0; "
      "drains of two ranks; drains one after the other; roots on a smaller grid; failures; stops;"
      " parts that moved through files; parts that a full disk did not take");
  for (const Phase phase : {Phase::job, Phase::announcing, Phase::choosing_slaves, Phase::expecting, Phase::receiving_rows,
                            Phase::assembling, Phase::eliminating, Phase::factorizing_root, Phase::sending_rows}) {
    coverage.want("drains while " + to_string(phase));
  }
  testing::run_drawn_seeds("DRAIN", 300, coverage, go_in_scratch_folder<DrainedRun>);
}

}  // namespace
}  // namespace frond::test
