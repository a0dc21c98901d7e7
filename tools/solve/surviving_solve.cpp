// SPDX-License-Identifier: BSD-3-Clause
// One attempt after the other, each with those who are left.
#include "tools/solve/surviving_solve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/mesh/survivors.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/checkpoint/checkpoint_directory.hpp"
#include "tools/process/standard_error.hpp"
#include "tools/solve/distributed_solve.hpp"
#include "tools/solve/failure_code.hpp"
#include "tools/solve/stop_sources.hpp"
#include "tools/solve/survivor_processes.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

/// A directory of this run alone, for addresses and records; removed when the run has ended.
class RunDirectory {
 public:
  /// In `parent`, or if that is empty in the memory of this machine.
  explicit RunDirectory(const std::string& parent) {
    path_ = (!parent.empty() ? parent : fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/frond-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) {
      throw OutputError(
          fmt::format("{}: no directory can be made there for the processes that solve together: {}", path_, std::strerror(errno)));
    }
  }
  ~RunDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// By themselves all processes of a launcher have come to the same name.
std::string directory_below_launcher(const SolveArguments& arguments, const Launch& launch) {
  if (!arguments.ranks.arbiter.empty()) {
    return arguments.ranks.arbiter;
  }
  const char* num_local = std::getenv("MPI_LOCALNRANKS");
  if (num_local == nullptr || std::atoi(num_local) != launch.num_ranks) {
    throw UsageError(
        "--survive below a launcher, on several machines: name a new directory that all of them see by --arbiter DIR, where "
        "processes agree on who goes on");
  }
  // The launcher's process, and when it was started: numbers of processes come again.
  std::ifstream file(fmt::format("/proc/{}/stat", getppid()));
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  std::istringstream words(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
  constexpr int kStartTime = 20;  // words behind the name
  std::string word;
  for (int k = 0; k < kStartTime; ++k) {
    words >> word;
  }
  return fmt::format("/dev/shm/frond-{}-{}-{}", getuid(), getppid(), word);
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

// A process that was fenced holds it until it is ended.
void wait_until_free(const std::string& checkpoint) {
  constexpr double kMostSeconds = 10;
  const double begin = steady_seconds();
  while (fs::exists(checkpoint + "/system") && is_in_use(checkpoint) && steady_seconds() - begin < kMostSeconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void check_survival(const SolveArguments& arguments, const Launch& launch) {
  if (!launch.is_by_mpich && arguments.ranks.num_processes == 1) {
    throw UsageError("--survive: a process alone survives nobody; start several by --processes P");
  }
  if (!(arguments.ranks.heartbeat_limit_seconds > 0)) {
    throw UsageError("--survive: processes are only lost after some time of silence: --heartbeat-limit above 0");
  }
}

/// One of the processes.
class Survivor {
 public:
  Survivor(const SolveArguments& arguments, const SurvivorPlace& place)
      : arguments_(arguments),
        directory_(place.directory),
        survivors_({.directory = place.directory, .rank = place.rank, .num_ranks = place.num_ranks},
                   arguments.ranks.heartbeat_limit_seconds) {}

  ExitCode run() {
    std::optional<int> code;
    while (!code) {
      try {
        if (survivors_.leads()) {
          say_into(output_file(directory_, survivors_.record().number, survivors_.rank()));
        }
        const ExitCode own = attempt();
        std::fflush(stdout);
        code = survivors_.end(static_cast<int>(own));
      } catch (const LossError&) {
        const std::vector<Rank> before = survivors_.record().members;
        code = survivors_.go_on();
        if (!code && survivors_.leads()) {
          tell_losses(before);
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
    const SolveArguments own = arguments_of_attempt(arguments_, survivors_.record().number);
    try {
      if (survivors_.leads() && !own.resume.empty()) {
        wait_until_free(own.resume);
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

  // What has happened to this process alone: the others go on without it.
  [[noreturn]] void leave(const std::string& why) const {
    tell_on_stderr(fmt::format("frond: process {} leaves: {}\n", survivors_.rank(), why));
    std::_Exit(static_cast<int>(ExitCode::process_lost));
  }

  void tell_losses(const std::vector<Rank>& before) const {
    const std::vector<Rank>& now = survivors_.record().members;
    std::vector<Rank> lost;
    std::set_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(lost));
    tell_on_stderr(fmt::format("frond: process{} {} {} gone; {} go{} on {}\n", lost.size() == 1 ? "" : "es", fmt::join(lost, ", "),
                               lost.size() == 1 ? "is" : "are", now.size(), now.size() == 1 ? "es" : "",
                               arguments_.checkpoint_directory().empty() ? "from the beginning" : "from the checkpoint"));
  }

  const SolveArguments& arguments_;
  std::string directory_;
  Survivors survivors_;
};

}  // namespace

ExitCode become_mpi_processes(const SolveArguments& arguments) {
  std::vector<std::string> words = {"mpiexec.mpich", "-n", std::to_string(arguments.ranks.num_processes), "/proc/self/exe"};
  std::error_code ignored;
  words.back() = fs::read_symlink("/proc/self/exe", ignored).string();
  const std::vector<std::string> own = own_command_line();
  for (std::size_t k = 1; k < own.size(); ++k) {
    if (own[k] == "--processes") {
      ++k;  // and its number
    } else if (!own[k].starts_with("--processes=")) {
      words.push_back(own[k]);
    }
  }
  std::vector<char*> pointers;
  std::transform(words.begin(), words.end(), std::back_inserter(pointers), [](std::string& word) { return word.data(); });
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  throw UsageError(
      fmt::format("--processes: mpiexec.mpich cannot be called: {}; on Debian: apt install mpich", std::strerror(errno)));
}

ExitCode run_surviving_solve(const SolveArguments& arguments, const Launch& launch, Farewell& farewell) {
  if (const std::optional<SurvivorPlace> place = own_survivor_place()) {
    // Without destructors: nobody is waited for any more.
    farewell = [](ExitCode code) {
      std::fflush(nullptr);
      std::_Exit(static_cast<int>(code));
    };
    try {
      return Survivor(arguments, *place).run();
    } catch (const FencedError& error) {
      tell_on_stderr(fmt::format("frond: {}\n", error.what()));
      return ExitCode::fenced;
    }
  }
  check_survival(arguments, launch);
  if (launch.is_by_mpich) {
    const SurvivorPlace place{launch.rank, launch.num_ranks, directory_below_launcher(arguments, launch)};
    fs::create_directories(place.directory);
    const std::shared_ptr<const SurvivorPlace> cleaned(launch.rank == 0 ? &place : nullptr, [](const SurvivorPlace* first) {
      if (first != nullptr) {
        remove_when_all_are_gone(*first);
      }
    });
    return start_survivors({place});
  }
  const RunDirectory directory(arguments.ranks.arbiter);
  std::vector<SurvivorPlace> places;
  for (Rank rank = 0; rank < arguments.ranks.num_processes; ++rank) {
    places.push_back({rank, arguments.ranks.num_processes, directory.path()});
  }
  return start_survivors(places);
}

}  // namespace frond
