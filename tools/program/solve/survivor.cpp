// SPDX-License-Identifier: BSD-3-Clause
// Runs one attempt after the other, each with the remaining processes.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "frond/survive.hpp"
#include "tools/program/solve/solve_at.hpp"
#include "tools/program/solve/survival.hpp"
#include "tools/program/solve/survivor_attempt.hpp"

namespace frond {
namespace {

// Copies are a checkpoint in the directory of the run.
SolveArguments with_protection(const SolveArguments& arguments, const std::string& directory) {
  SolveArguments own = arguments;
  if (protection_of(arguments) == Protection::copies) {
    own.checkpoint = directory + "/copies";
    own.is_checkpoint_in_memory = true;
  }
  return own;
}

// The first attempt is as requested; later ones resume from a checkpoint, if there is one.
SolveArguments arguments_of_attempt(const SolveArguments& arguments, Index attempt) {
  SolveArguments own = arguments;
  if (attempt > 0 && !arguments.checkpoint.empty()) {
    own.resume = arguments.checkpoint;
    own.checkpoint.clear();
  }
  return own;
}

/// One process of the run.
class Survivor {
 public:
  Survivor(const SolveArguments& arguments, const SurvivorPlace& place)
      : protection_(protection_of(arguments)),
        arguments_(with_protection(arguments, place.directory)),
        place_(place),
        limit_seconds_(arguments.ranks.heartbeat_limit_seconds) {
    facts_.protection = to_string(protection_);
    facts_.arbiter = arguments.ranks.arbiter.empty() ? "memory of this machine" : arguments.ranks.arbiter;
    facts_.num_processes = place.num_ranks;
  }

  ExitCode run() {
    SurvivalOptions options = survival_options(place_, limit_seconds_);
    options.tell_loss = [this](const std::vector<Rank>& lost, const std::vector<Rank>& members) { note_losses(lost, members); };
    return static_cast<ExitCode>(survive(options, [this](const SurvivalAttempt& attempt) {
      facts_.attempt = attempt.number;
      if (leads(attempt.members)) {
        say_into_output_file(place_, attempt.number);
      }
      const ExitCode code = solve(attempt);
      std::fflush(stdout);
      survival()->begin_phase("at the end");
      return static_cast<int>(code);
    }));
  }

 private:
  ExitCode solve(const SurvivalAttempt& attempt) {
    SolveArguments own = arguments_of_attempt(arguments_, attempt.number);
    own.survival = survival();
    own.survival->begin_phase("in the reading");
    return outcome_of_attempt(place_, attempt, [&] { return solve_at(attempt.place, own); });
  }

  // A new leader reports the losses, too.
  void note_losses(const std::vector<Rank>& lost, const std::vector<Rank>& members) {
    for (const Rank rank : lost) {
      facts_.losses.push_back({rank, facts_.attempt, Survival::last_phase(place_.directory, rank)});
    }
    if (leads(members)) {
      tell_loss(lost, members,
                protection_ == Protection::recompute ? "the beginning"
                : protection_ == Protection::copies  ? "the copies"
                                                     : "the checkpoint");
    }
  }

  [[nodiscard]] bool leads(const std::vector<Rank>& members) const { return members.front() == place_.rank; }
  [[nodiscard]] std::shared_ptr<const Survival> survival() const {
    return std::make_shared<const Survival>(place_.directory, place_.rank, facts_);
  }

  Protection protection_;
  SolveArguments arguments_;
  SurvivorPlace place_;
  double limit_seconds_;
  SurvivalFacts facts_;
};

}  // namespace

ExitCode run_survivor(const SolveArguments& arguments, const SurvivorPlace& place, Farewell& farewell) {
  return end_at_once(farewell, [&] { return Survivor(arguments, place).run(); });
}

}  // namespace frond
