// SPDX-License-Identifier: BSD-3-Clause
// Lets virtual ranks die at random moments: the survivors agree through an arbiter on who continues, from logs that lack their last
// entries, or from nothing. FROND_LOSSES_SEEDS=10000 asks for a long run, FROND_LOSSES_SEED=s for a single one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "factorization/ranks/work_search.hpp"
#include "loadinfo/messages/ranks/arbiter.hpp"
#include "tests/solver/storage/checkpoint/archived_runs.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/programs/drawn_seeds.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/ranks/drawn_drains.hpp"

namespace frond::test {
namespace {

constexpr std::array<Rank, 5> kNumProcesses = {2, 3, 5, 8, 16};
constexpr Index kMostAttempts = 40;
constexpr std::array kSharings = {WorkSharing::fixed, WorkSharing::ring, WorkSharing::random, WorkSharing::loaded,
                                  WorkSharing::pool};

// Runs a factorization drawn from a seed on processes of which at least one survives.
template <class S>
class SurvivedFactorization {
 public:
  SurvivedFactorization(std::mt19937& random, const testing::ScratchFolder& folder, testing::EventCoverage& coverage)
      : random_(random),
        directory_(folder.path("logs")),
        moves_(folder.path("moves")),
        arbiter_(folder.path("records")),
        coverage_(coverage),
        keeps_logs_(below(3) > 0),
        is_sequential_(below(3) == 0),
        sharing_(kSharings[below(kSharings.size())]),
        tolerance_(sharing_ == WorkSharing::fixed ? 0.01 : std::array{0.01, 0.5, 1.0}[below(3)]) {
    for (const std::string& made : {directory_, moves_, arbiter_.directory()}) {
      std::filesystem::create_directory(made);
    }
    members_.resize(static_cast<std::size_t>(kNumProcesses[below(kNumProcesses.size())]));
    std::iota(members_.begin(), members_.end(), 0);
  }

  // Returns what went wrong; empty if nothing did.
  std::string go() {
    const RankProblem<S> problem =
        mapped(sharing_ == WorkSharing::fixed || below(4) == 0 ? draw_problem<S>(random_, num_members()) : flat_problem());
    const Inertia inertia = problem.run_on_one_rank().report.inertia;
    const VirtualRunResult<S> undisturbed =
        factorize_on_virtual_ranks<S>(problem.symbolic, problem.method, problem.a, problem.mapping, {.seed = seed()});
    num_messages_ = undisturbed.counts.messages;
    note("runs");
    for (Index attempt = 0; attempt < kMostAttempts; ++attempt) {
      const RankProblem<S> mine = attempt == 0 ? problem : mapped(problem);
      const VirtualRunResult<S> result = run_attempt(mine);
      note("attempts");
      if (!result.complaints.empty()) {
        return result.complaints.front();
      }
      if (!result.is_thrown_away && !loses_in_last_meeting()) {
        if (std::string complaint = judge_factors(mine, result, inertia); !complaint.empty()) {
          return complaint;
        }
        note_end();
        if (is_sequential_) {
          note("the same bits");
          if (result.counts.tasks_taken > 0) {
            note("the same bits of taken tasks");
          }
          const auto sum_of = [](const Factors<S>& factors) { return multiply_out(factors).sum().values; };
          return sum_of(mine.gather(result)) == sum_of(problem.gather(undisturbed))
                     ? ""
                     : "the factors have other bits than without losses";
        }
        return "";
      }
      if (std::string complaint = agree(); !complaint.empty()) {
        return complaint;
      }
    }
    return "it does not come to an end";
  }

 private:
  [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }
  [[nodiscard]] std::uint32_t seed() { return static_cast<std::uint32_t>(random_()); }
  [[nodiscard]] Rank num_members() const { return static_cast<Rank>(members_.size()); }
  void note(const std::string& name) { coverage_.note(name); }

  // Returns a problem with many tasks to take: a tree with many leaves for its size.
  [[nodiscard]] RankProblem<S> flat_problem() {
    const Method method = std::array{Method::cholesky, Method::ldlt, Method::lu}[below(3)];
    const Values values = method == Method::cholesky || below(2) == 0 ? Values::dominant : Values::zero_diagonal;
    const auto side = static_cast<Index>(10 + below(10));
    return {method, grid_matrix<S>(symmetry_of(method), side, side, 1, values, 1), Types::sequential, num_members()};
  }
  [[nodiscard]] RankProblem<S> mapped(const RankProblem<S>& problem) {
    return mapped_to(problem, is_sequential_ ? Types::sequential : kTypes[below(kTypes.size())], num_members(), tolerance_);
  }
  [[nodiscard]] std::vector<Rank> living_members() const {
    std::vector<Rank> living;
    std::copy_if(members_.begin(), members_.end(), std::back_inserter(living), [this](Rank id) { return !dead_.contains(id); });
    return living;
  }
  void die(Rank id) {
    dead_.insert(id);
    note("lost");
  }

  // --- an attempt

  void draw_deaths() {
    dying_.clear();
    death_phase_.reset();
    suspicion_.reset();
    const std::vector<Rank> living = living_members();
    if (living.size() < 2 || below(4) == 0) {
      return;
    }
    const auto moment = static_cast<Count>(below(static_cast<std::size_t>(num_messages_ + 1)));
    if (below(8) == 0) {  // one process is too slow for another
      suspicion_ = Suspicion{living[below(living.size())], moment};
    }
    if (below(2) == 0) {
      death_phase_ = kPhases[below(kPhases.size())];
      times_left_ = 1 + below(std::size_t{1} << below(6));
      return;
    }
    std::vector<Rank> victims = living;
    std::shuffle(victims.begin(), victims.end(), random_);
    victims.resize(below(3) == 0 ? 1 + below(living.size() - 1) : 1);
    for (const Rank id : victims) {
      dying_[id] = below(2) == 0 ? moment : static_cast<Count>(below(static_cast<std::size_t>(num_messages_ + 1)));
    }
  }

  VirtualRunResult<S> run_attempt(const RankProblem<S>& problem) {
    draw_deaths();
    VirtualRun run{.seed = seed(), .buffer_bytes = Count{200} << below(12), .piece_bytes = Count{64} << below(10)};
    run.sharing = sharing_;
    if (sharing_ != WorkSharing::fixed) {  // small matrices get many tasks, not all of which begin at once
      run.least_task_seconds = 1e-6 * static_cast<double>(below(4));
      run.max_active = static_cast<Index>(1 + below(2));
    }
    died_now_.clear();
    DrawnDrains drains;
    if (num_members() > 1 && below(6) == 0) {
      drains.draw(random_, num_members(), num_messages_, moves_, run);
    }
    run.before = [&](Rank rank, Phase phase) {
      drains.before(phase);
      const Rank id = members_[rank];
      if (phase == death_phase_ && times_left_ > 0 && --times_left_ == 0 && living_members().size() > 1 && !dead_.contains(id)) {
        dying_[id] = 0;
      }
    };
    if (!keeps_logs_) {
      run.fate = [&](Rank rank, Count messages) { return fate_of(rank, messages, [](Rank) {}); };
      return note_thrown_away(factorize_on_virtual_ranks<S>(problem.symbolic, problem.method, problem.a, problem.mapping, run));
    }
    return note_thrown_away(run_with_logs(problem, run));
  }

  VirtualRunResult<S> note_thrown_away(VirtualRunResult<S> result) {
    const VirtualRunCounts& counts = result.counts;
    if (number_ > 0 && counts.tasks_taken > 0) {
      note("tasks taken in a later attempt");
    }
    if (!result.is_thrown_away) {
      return result;
    }
    if (counts.pauses > 0) {
      note("a pause for who leaves");
    }
    if (counts.tasks_taken > 0) {
      note("tasks taken before a loss, " + std::string(to_string(sharing_)));
    }
    for (const Rank rank : died_now_) {
      if (!counts.taken_by.empty() && counts.taken_by[rank] > 0) {
        note("a lost thief");
      }
      if (!counts.given_by.empty() && counts.given_by[rank] > 0) {
        note("a lost victim");
      }
    }
    return result;
  }

  // A log keeps what it contains when its rank dies, and nothing more.
  VirtualRunResult<S> run_with_logs(const RankProblem<S>& problem, VirtualRun& run) {
    Archives<S> archives(problem, directory_);
    const Count num_found = archives[0].counts().num_fronts_found;
    if (num_found > 0) {
      note(num_found == problem.symbolic->tree().num_nodes() ? "all fronts were found" : "fronts were found");
    }
    if (living_members().size() > 1 && below(16) == 0) {  // before the first list
      archives[0].clear();
      archives[num_members() - 1].open();
      const std::vector<Rank> living = living_members();
      die(living[below(living.size())]);
      note("in the beginning");
      VirtualRunResult<S> nothing;
      nothing.is_thrown_away = true;
      return nothing;
    }
    archives.begin();
    std::set<Rank> abandoned;
    run.fate = [&](Rank rank, Count messages) {
      return fate_of(rank, messages, [&](Rank died) {
        abandoned.insert(died);
        if (archives[died].abandon()) {
          note("entries of who died are missing");
        }
      });
    };
    VirtualRunResult<S> result =
        factorize_on_virtual_ranks<S>(problem.symbolic, problem.method, problem.a, problem.mapping, run, {}, archives.stores());
    if (num_found > 0 && result.counts.tasks_taken > 0) {
      note("tasks taken beside found fronts");
    }
    for (Rank rank = 0; rank < archives.size(); ++rank) {
      const auto error = archives[rank].counts().log.error;
      if (error && !abandoned.contains(rank)) {
        result.complaints.push_back(*error);
      }
    }
    return result;
  }

  template <class OnDeath>
  Fate fate_of(Rank rank, Count messages, const OnDeath& on_death) {
    const Rank id = members_[rank];
    const auto dies = [&] {
      on_death(rank);
      return Fate::dies;
    };
    if (dead_.contains(id)) {  // died before this attempt
      return dies();
    }
    if (const auto due = dying_.find(id); due != dying_.end() && messages >= due->second) {
      const bool is_of_phase = death_phase_ && times_left_ == 0;
      note_death(id, is_of_phase);
      die(id);
      died_now_.push_back(rank);
      return dies();
    }
    const bool suspects = suspicion_ && messages >= suspicion_->messages && id != suspicion_->of && dead_.empty();
    const bool is_anybody_gone = num_members() > static_cast<Rank>(living_members().size()) || has_left_;
    if ((suspects || is_anybody_gone) && below(6) == 0) {
      has_left_ = true;
      return Fate::leaves;
    }
    return Fate::works;
  }

  void note_death(Rank id, bool is_of_phase) {
    if (is_of_phase) {
      note(to_string(*death_phase_));
    }
    if (id == living_members().front()) {
      note("the first of the members");
    }
    const auto num_at_once = std::count_if(dying_.begin(), dying_.end(),
                                           [&](const auto& due) { return due.second == dying_.at(id) && due.first != id; });
    if (num_at_once > 0) {
      note("several at once");
    }
  }

  [[nodiscard]] bool loses_in_last_meeting() {
    const std::vector<Rank> living = living_members();
    if (living.size() < 2 || below(6) > 0) {
      return false;
    }
    die(living[below(living.size())]);
    note("in the last meeting");
    return true;
  }

  // --- between attempts

  // Lets each process propose, one after another, the members that it believes alive; the first proposal becomes the record.
  // Returns what went wrong.
  std::string agree() {
    has_left_ = false;
    ++number_;
    std::vector<Rank> living = living_members();
    std::shuffle(living.begin(), living.end(), random_);
    std::optional<SurvivalRecord> record;
    std::set<std::vector<Rank>> proposals;
    for (const Rank id : living) {
      const SurvivalRecord proposal{number_, believed_living(id)};
      proposals.insert(proposal.members);
      const SurvivalRecord sealed = arbiter_.seal(proposal);
      if (record && sealed != *record) {
        return "two records of one number";
      }
      const auto num_left =
          std::count_if(sealed.members.begin(), sealed.members.end(), [this](Rank member) { return !dead_.contains(member); });
      if (!record && num_left > 1 && std::binary_search(sealed.members.begin(), sealed.members.end(), id) && below(6) == 0) {
        note("the maker of a record");
        note("in the agreement");
        die(id);
      }
      record = sealed;
    }
    if (proposals.size() > 1) {
      note("two proposals");
    }
    // A living process missing in the record is fenced, and ends.
    for (const Rank id : living_members()) {
      if (!std::binary_search(record->members.begin(), record->members.end(), id)) {
        die(id);
        note("wrongly suspected");
      }
    }
    members_ = record->members;
    return living_members().empty() ? "nobody is left" : "";
  }

  // A dead process may not be known to be dead, and a living one may be believed dead.
  std::vector<Rank> believed_living(Rank id) {
    std::vector<Rank> believed;
    std::copy_if(members_.begin(), members_.end(), std::back_inserter(believed),
                 [&](Rank other) { return !dead_.contains(other) || below(4) == 0; });
    if (suspicion_ && suspicion_->of != id && below(2) == 0) {
      std::erase(believed, suspicion_->of);
    }
    return believed;
  }

  void note_end() {
    if (living_members().size() == 1) {
      note("one is left");
    }
  }

  struct Suspicion {
    Rank of = 0;
    Count messages = 0;
  };

  std::mt19937& random_;
  std::string directory_;
  std::string moves_;
  Arbiter arbiter_;
  testing::EventCoverage& coverage_;
  bool keeps_logs_;
  bool is_sequential_;  // no front is shared: all layouts are the same in all attempts
  WorkSharing sharing_;
  double tolerance_;  // how uneven the mapping may be
  bool has_left_ = false;
  std::vector<Rank> died_now_;  // ranks that died in this attempt
  Index number_ = 0;
  Count num_messages_ = 0;
  std::vector<Rank> members_;  // [rank of the attempt], as in the last record
  std::set<Rank> dead_;
  std::map<Rank, Count> dying_;  // number of received messages at which the process dies
  std::optional<Phase> death_phase_;
  std::size_t times_left_ = 0;
  std::optional<Suspicion> suspicion_;
};

TEST(RankLosses, OfAllButOneLeaveTheFactorsRight) {
  testing::EventCoverage coverage(
      "the first of the members; several at once; in the agreement; the maker of a record; in the beginning; in the "
      "last meeting; wrongly suspected; a pause for who leaves; one is left; fronts were found; all fronts were "
      "found; entries of who died are missing; the same bits; two proposals; tasks taken before a loss, ring; tasks "
      "taken before a loss, random; tasks taken before a loss, loaded; tasks taken before a loss, pool; a lost thief;"
      " a lost victim; tasks taken in a later attempt; tasks taken beside found fronts; the same bits of taken tasks");
  std::for_each(kPhases.begin(), kPhases.end(), [&](Phase phase) { coverage.want(to_string(phase)); });
  testing::run_drawn_seeds("LOSSES", 100, coverage, go_with_archives<SurvivedFactorization>);
}

}  // namespace
}  // namespace frond::test
