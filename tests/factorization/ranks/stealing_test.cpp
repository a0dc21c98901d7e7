// SPDX-License-Identifier: BSD-3-Clause
// Tests ranks without work that take leaf subtrees of others, in all orders of messages, with failures, drains and little memory.
// FROND_STEALING_SEEDS=10000 asks for a long run, FROND_STEALING_SEED=s for one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "factorization/ranks/rank_engine.hpp"
#include "factorization/ranks/work_search.hpp"
#include "tests/support/ranks/active_bounds.hpp"
#include "tests/support/ranks/drawn_run.hpp"

namespace frond::test {
namespace {

// Checks, after each step of a rank, what the static mapping guarantees.
class StepWatch {
 public:
  StepWatch(const RankProblem<double>& problem, const VirtualRun& run, bool is_sequential)
      : graph_(problem.symbolic->tree(), problem.method, sizeof(double), problem.mapping, KeptFactors::all, {},
               {.tasks_move = true, .least_seconds = run.least_task_seconds}),
        bounds_(active_bounds(graph_, problem.mapping.num_ranks(), run.max_active)),
        ahead_limit_bytes_(run.ahead_limit_bytes),
        is_sequential_(is_sequential),
        has_pool_(run.sharing == WorkSharing::pool),
        active_(bounds_.sequential.size(), 0),
        num_movable_(bounds_.sequential.size(), 0) {}

  void look(const RankEngine& engine) {
    has_record_ = has_record_ || engine.record() > 0;
    if (has_record_ || engine.failure()) {
      return;
    }
    const auto rank = static_cast<std::size_t>(engine.rank());
    active_[rank] = engine.tasks().active().bytes();
    num_movable_[rank] = engine.tasks().num_movable();
    for (const TaskId top : engine.tasks().guests()) {
      has_large_unit_ = has_large_unit_ || graph_.task(top).unit.first < top;
    }
    if (is_sequential_) {
      look_at_memory(engine);
    }
    if (!has_pool_) {
      look_at_search(engine);
    }
    if (engine.ended() && ahead_limit_bytes_ >= 0) {
      complain(engine.tasks().bytes_for_guests() == most_bytes_for_guests(engine), engine, "has memory set aside for nothing");
    }
  }

  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] bool has_large_unit() const { return has_large_unit_; }

 private:
  // Applies if all fronts are of type 1.
  void look_at_memory(const RankEngine& engine) {
    const auto rank = static_cast<std::size_t>(engine.rank());
    if (ahead_limit_bytes_ >= 0) {
      // The bound of its own order, plus what tasks ahead of their turns and taken ones may hold, plus rows that arrive early.
      complain(active_[rank] <= bounds_.sequential[rank] + ahead_limit_bytes_ + bounds_.streams[rank], engine,
               "holds more than the limit ahead allows");
      complain(engine.tasks().bytes_for_guests() <= most_bytes_for_guests(engine), engine,
               "promises memory that was set aside for what it has taken");
    }
    complain(std::accumulate(active_.begin(), active_.end(), Count{0}) <= bounds_.sum, engine,
             "and all others hold more than two traversals do");
  }

  // The factors of taken tasks stay.
  [[nodiscard]] Count most_bytes_for_guests(const RankEngine& engine) const {
    Count bytes = ahead_limit_bytes_;
    for (const TaskId top : engine.tasks().guests()) {
      bytes -= graph_.task(top).unit.factor_bytes;
    }
    return std::max<Count>(0, bytes);
  }

  // A rank that stops asking must be right: no other rank has anything to give, or ever will.
  void look_at_search(const RankEngine& engine) {
    for (std::size_t other = 0; engine.is_dry() && other < num_movable_.size(); ++other) {
      const bool is_other = other != static_cast<std::size_t>(engine.rank());
      complain(!is_other || num_movable_[other] == 0, engine, "asks no more, but others have tasks to give");
    }
  }

  void complain(bool is_right, const RankEngine& engine, const std::string& what) {
    if (!is_right && complaint_.empty()) {
      complaint_ = "rank " + std::to_string(engine.rank()) + ' ' + what;
    }
  }

  TaskGraph graph_;
  ActiveBounds bounds_;
  Count ahead_limit_bytes_;
  bool is_sequential_;
  bool has_pool_;                   // the pool gives others' leaves as long as only permission is missing
  std::vector<Count> active_;       // [rank], after its last step
  std::vector<Index> num_movable_;  // [rank], likewise
  bool has_record_ = false;
  bool has_large_unit_ = false;
  std::string complaint_;
};

// One run drawn from a seed.
class SharedRun : DrawnRun {
 public:
  using DrawnRun::DrawnRun;

  // Returns what is wrong.
  std::string go(testing::EventCoverage& coverage) {
    // A flat grid has many leaves for its size.
    const auto side = static_cast<Index>(10 + below(20));
    const RankProblem<double> problem(method_, grid_matrix<double>(symmetry_of(method_), side, side, 1, values_, 1), types_,
                                      num_ranks_, std::array{0.01, 0.5, 1.0}[below(3)]);
    run_.max_active = static_cast<Index>(1 + below(2));
    run_.least_task_seconds = 1e-6 * static_cast<double>(below(20));
    const VirtualRunResult<double> fixed = factorize(problem);
    draw_paces();
    run_.sharing = std::array{WorkSharing::ring, WorkSharing::random, WorkSharing::loaded, WorkSharing::pool}[below(4)];
    run_.chunks = static_cast<ChunkKind>(below(static_cast<std::size_t>(ChunkKind::af) + 1));
    if (below(4) == 0) {
      draw_drains(fixed.counts);
    }
    draw_troubles(fixed.counts);
    const bool is_sequential = types_ == Types::sequential;
    StepWatch watch(problem, run_, is_sequential);
    run_.watch = [&watch](const RankEngine& engine) { watch.look(engine); };
    const VirtualRunResult<double> result = factorize(problem);
    if (!watch.complaint().empty()) {
      return watch.complaint();
    }
    coverage.note("units of several tasks", watch.has_large_unit() ? 1 : 0);
    coverage.note("dry answers", result.counts.dry_answers);
    if (is_sequential && result.counts.records == 0) {
      coverage.note("within the bound of all, taken", result.counts.tasks_taken);
      coverage.note("within the limit ahead, taken", run_.ahead_limit_bytes >= 0 ? result.counts.tasks_taken : 0);
    }
    count(result, coverage);
    if (std::string complaint = judge(problem, result, coverage); !complaint.empty() || result.failure) {
      return complaint;
    }
    if (is_sequential && result.counts.tasks_taken > 0) {
      coverage.note("the same bits", 1);
      return same_bits(problem.gather(result), problem.gather(fixed)) ? "" : "other bits than without taking";
    }
    return "";
  }

 private:
  // In half of the runs the ranks follow the times of their tasks: about 1 s, or 0.5 to 128.5 s on slow ranks.
  void draw_paces() {
    if (below(2) == 0) {
      run_.task_seconds = [this, slow = random_()](Rank rank) {
        const bool is_slow = (slow >> (static_cast<unsigned>(rank) % 32) & 1U) == 1;
        return 0.5 + static_cast<double>(times_() % 1000) / 1000 * (is_slow ? 128 : 1);
      };
    }
  }

  void count(const VirtualRunResult<double>& result, testing::EventCoverage& coverage) const {
    const VirtualRunCounts& counts = result.counts;
    coverage.note("runs");
    coverage.note("taken, " + std::string(to_string(run_.sharing)), counts.tasks_taken);
    coverage.note("empty rounds", counts.empty_rounds);
    coverage.note("refused for memory", counts.refused_for_memory);
    coverage.note("records", counts.records);
    coverage.note("taken before a record", counts.records > 0 ? counts.tasks_taken : 0);
    coverage.note("taken with little memory", is_tight_ || run_.ahead_limit_bytes >= 0 ? counts.tasks_taken : 0);
    coverage.note("by paces, taken", run_.task_seconds ? counts.tasks_taken : 0);
    coverage.note("types 2 beside", types_ == Types::row_distributed ? counts.tasks_taken : 0);
    coverage.note("taken with failures", failure_.has_struck() ? counts.tasks_taken : 0);
    coverage.note("taken with delayed pivots", !result.failure && result.report.num_delayed_pivots > 0 ? counts.tasks_taken : 0);
    coverage.note("a root on a grid beside", types_ == Types::grid ? counts.tasks_taken : 0);
  }

  std::mt19937 times_{random_()};
};

TEST(Stealing, LosesNothingAndDoesNothingTwice) {
  testing::EventCoverage coverage(
      "taken, ring; taken, random; taken, loaded; taken, pool; empty rounds; refused for memory; records; taken "
      "before a record; taken with failures; taken with little memory; taken with delayed pivots; the same bits; "
      "types 2 beside; a root on a grid beside; stops; dry answers; units of several tasks; within the limit ahead, "
      "taken; within the bound of all, taken; by paces, taken");
  testing::run_drawn_seeds("STEALING", 300, coverage, go_in_scratch_folder<SharedRun>);
}

}  // namespace
}  // namespace frond::test
