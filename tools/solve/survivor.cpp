// SPDX-License-Identifier: BSD-3-Clause
// One attempt after the other, each with those who are left.
#include "tools/solve/survivor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "frond/survive.hpp"
#include "tools/process/standard_error.hpp"
#include "tools/solve/distributed_solve.hpp"
#include "tools/solve/failure_code.hpp"
#include "tools/solve/survival.hpp"

namespace frond {
namespace {

std::string machine_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "localhost";
}

// With copies they are a checkpoint in the directory of the run.
SolveArguments with_protection(const SolveArguments& arguments, const std::string& directory) {
  SolveArguments own = arguments;
  if (protection_of(arguments) == Protection::copies) {
    own.checkpoint = directory + "/copies";
    own.is_checkpoint_in_memory = true;
  }
  return own;
}

// The first attempt is what was asked for; later ones go on from a checkpoint, if there is one.
SolveArguments arguments_of_attempt(const SolveArguments& arguments, Index attempt) {
  SolveArguments own = arguments;
  if (attempt > 0 && !arguments.checkpoint.empty()) {
    own.resume = arguments.checkpoint;
    own.checkpoint.clear();
  }
  return own;
}

/// One of the processes.
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
    SurvivalOptions options{.directory = place_.directory, .rank = place_.rank, .num_ranks = place_.num_ranks};
    options.machine = place_.is_one_machine ? "" : machine_name();
    options.limit_seconds = limit_seconds_;
    options.tell_loss = [this](const std::vector<Rank>& lost, const std::vector<Rank>& members) { note_losses(lost, members); };
    return static_cast<ExitCode>(survive(options, [this](const SurvivalAttempt& attempt) {
      facts_.attempt = attempt.number;
      if (leads(attempt.members)) {
        say_into(output_file(place_.directory, attempt.number, place_.rank));
      }
      const ExitCode code = solve(attempt);
      std::fflush(stdout);
      survival()->begin_phase("at the end");
      return static_cast<int>(code);
    }));
  }

 private:
  static void say_into(const std::string& path) {
    if (std::freopen(path.c_str(), "w", stdout) == nullptr) {
      throw OutputError(fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
    }
  }

  // What fails on all alike is an end as good as any; the one that leads says it.
  ExitCode solve(const SurvivalAttempt& attempt) {
    SolveArguments own = arguments_of_attempt(arguments_, attempt.number);
    own.survival = survival();
    own.survival->begin_phase("in the reading");
    try {
      return solve_on_ranks(attempt.ranks.communicator(), own);
    } catch (const LossError&) {
      throw;
    } catch (const CommunicationError& error) {
      leave(error.what());
    } catch (const Error&) {
      const ToldFailure failure = failure_of(std::current_exception());
      if (leads(attempt.members)) {
        tell_on_stderr(fmt::format("frond: error: {}\n", failure.text));
      }
      return failure.code;
    } catch (const std::exception& error) {
      leave(error.what());
    }
  }

  // What has happened to this process alone: the others go on without it.
  [[noreturn]] void leave(const std::string& why) const {
    tell_on_stderr(fmt::format("frond: process {} leaves: {}\n", place_.rank, why));
    std::_Exit(static_cast<int>(ExitCode::process_lost));
  }

  // Whoever leads from now on says it, too.
  void note_losses(const std::vector<Rank>& lost, const std::vector<Rank>& members) {
    for (const Rank rank : lost) {
      facts_.losses.push_back({rank, facts_.attempt, Survival::last_phase(place_.directory, rank)});
    }
    if (leads(members)) {
      tell_on_stderr(fmt::format("frond: process{} {} {} gone; {} go{} on from {}\n", lost.size() == 1 ? "" : "es",
                                 fmt::join(lost, ", "), lost.size() == 1 ? "is" : "are", members.size(),
                                 members.size() == 1 ? "es" : "",
                                 protection_ == Protection::recompute ? "the beginning"
                                 : protection_ == Protection::copies  ? "the copies"
                                                                      : "the checkpoint"));
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
  // Without destructors: nobody is waited for any more.
  farewell = [](ExitCode code) {
    std::fflush(nullptr);
    std::_Exit(static_cast<int>(code));
  };
  try {
    return Survivor(arguments, place).run();
  } catch (const FencedError& error) {
    tell_on_stderr(fmt::format("frond: {}\n", error.what()));
    return ExitCode::fenced;
  }
}

}  // namespace frond
