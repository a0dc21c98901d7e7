// SPDX-License-Identifier: BSD-3-Clause
// One attempt after the other, each with those who are left.
#include "tools/solve/survivor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/mesh/survivors.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/checkpoint/checkpoint_directory.hpp"
#include "tools/process/standard_error.hpp"
#include "tools/solve/distributed_solve.hpp"
#include "tools/solve/failure_code.hpp"
#include "tools/solve/survival.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

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

constexpr double kMostSecondsToClose = 10;

/// One of the processes.
class Survivor {
 public:
  Survivor(const SolveArguments& arguments, const SurvivorPlace& place)
      : protection_(protection_of(arguments)),
        arguments_(with_protection(arguments, place.directory)),
        directory_(place.directory),
        survivors_({.directory = place.directory,
                    .rank = place.rank,
                    .num_ranks = place.num_ranks,
                    .machine = place.is_one_machine ? "" : machine_name()},
                   arguments.ranks.heartbeat_limit_seconds) {
    facts_.protection = to_string(protection_);
    facts_.arbiter = arguments.ranks.arbiter.empty() ? "memory of this machine" : arguments.ranks.arbiter;
    facts_.num_processes = place.num_ranks;
  }

  ExitCode run() {
    std::optional<int> code;
    while (!code) {
      try {
        if (survivors_.leads()) {
          say_into(output_file(directory_, survivors_.record().number, survivors_.rank()));
        }
        const ExitCode own = attempt();
        std::fflush(stdout);
        note_phase("at the end");
        code = survivors_.end(static_cast<int>(own));
      } catch (const LossError&) {
        const SurvivalRecord before = survivors_.record();
        code = survivors_.go_on();
        if (!code) {
          note_losses(before);
        }
      }
    }
    return static_cast<ExitCode>(*code);
  }

 private:
  static void say_into(const std::string& path) {
    if (std::freopen(path.c_str(), "w", stdout) == nullptr) {
      throw OutputError(fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
    }
  }

  // What fails on all alike is an end as good as any; the one that leads says it.
  ExitCode attempt() {
    SolveArguments own = arguments_of_attempt(arguments_, survivors_.record().number);
    facts_.attempt = survivors_.record().number;
    own.survival = std::make_shared<const Survival>(directory_, survivors_.rank(), facts_);
    own.survival->begin_phase("in the reading");
    try {
      if (!own.resume.empty()) {
        wait_until_closed(own.resume);
      }
      return solve_on_ranks(survivors_.communicator(), own);
    } catch (const LossError&) {
      throw;
    } catch (const CommunicationError& error) {
      leave(error.what());
    } catch (const Error&) {
      const ToldFailure failure = failure_of(std::current_exception());
      if (survivors_.leads()) {
        tell_on_stderr(fmt::format("frond: error: {}\n", failure.text));
      }
      return failure.code;
    } catch (const std::exception& error) {
      leave(error.what());
    }
  }

  // Who was fenced may write on, and give back what it believes to be of no use, until its parent has ended it: what is there
  // counts when nobody does.
  void wait_until_closed(const std::string& checkpoint) const {
    survivors_.wait_for_fenced(kMostSecondsToClose);
    const double begin = steady_seconds();
    while (survivors_.leads() && fs::exists(checkpoint + "/system") && is_in_use(checkpoint) &&
           steady_seconds() - begin < kMostSecondsToClose) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  // What has happened to this process alone: the others go on without it.
  [[noreturn]] void leave(const std::string& why) const {
    tell_on_stderr(fmt::format("frond: process {} leaves: {}\n", survivors_.rank(), why));
    std::_Exit(static_cast<int>(ExitCode::process_lost));
  }

  void note_phase(const char* phase) const { Survival(directory_, survivors_.rank(), facts_).begin_phase(phase); }

  // Whoever leads from now on says it, too.
  void note_losses(const SurvivalRecord& before) {
    const std::vector<Rank>& now = survivors_.record().members;
    std::vector<Rank> lost;
    std::set_difference(before.members.begin(), before.members.end(), now.begin(), now.end(), std::back_inserter(lost));
    for (const Rank rank : lost) {
      facts_.losses.push_back({rank, before.number, Survival::last_phase(directory_, rank)});
    }
    if (survivors_.leads()) {
      tell_on_stderr(fmt::format("frond: process{} {} {} gone; {} go{} on from {}\n", lost.size() == 1 ? "" : "es",
                                 fmt::join(lost, ", "), lost.size() == 1 ? "is" : "are", now.size(), now.size() == 1 ? "es" : "",
                                 protection_ == Protection::recompute ? "the beginning"
                                 : protection_ == Protection::copies  ? "the copies"
                                                                      : "the checkpoint"));
    }
  }

  Protection protection_;
  SolveArguments arguments_;
  std::string directory_;
  SurvivalFacts facts_;
  Survivors survivors_;
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
