// SPDX-License-Identifier: BSD-3-Clause
// Starts, watches and ends MPI processes.
#include "tools/program/solve/mpi_processes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_rank_watch.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tools/program/process/end_timer.hpp"
#include "tools/program/process/launched_processes.hpp"
#include "tools/program/process/standard_error.hpp"
#include "tools/program/solve/solve_at.hpp"

namespace frond {
namespace {

void tell_of_rank(Rank rank, const std::string& text) {
  tell_on_stderr(fmt::format("frond: error: rank {}: {}\n", rank, text));
  std::fflush(nullptr);
}

// Exits without destructors: MPI would wait for the lost process.
[[noreturn]] void leave_at_once(Rank rank, const std::string& text) {
  tell_of_rank(rank, text);
  std::_Exit(static_cast<int>(ExitCode::process_lost));
}

// Told not to clean up, MPICH's launcher signals the death of a process to the others, and an unhandled signal would end them
// before they can report which process is gone.
void ignore_news_of_deaths() { std::signal(SIGUSR1, SIG_IGN); }

// When the first process exits, the launcher may end the others: they get time to report the reason, too.
[[noreturn]] void leave_without(Rank lost, Rank rank, double limit_seconds) {
  tell_of_rank(rank, fmt::format("rank {} has given no sign of life for {} s; its process or its machine is gone, or stopped for "
                                 "longer than heartbeat-limit allows",
                                 lost, limit_seconds));
  std::this_thread::sleep_for(std::chrono::duration<double>(std::min(5.0, limit_seconds / 4)));
  std::_Exit(static_cast<int>(ExitCode::process_lost));
}

// The processes that solve together, watched if requested and possible. The destructor ends MPI.
class Processes {
 public:
  Processes(const SolveArguments& arguments, int num_threads, const Launch& launch)
      : processes_(launch, arguments.ranks.mpi_threads) {
    const Communicator& ranks = processes_.ranks();
    if (arguments.ranks.binds) {
      bind_to_processors(ranks, num_threads);
    }
    const double limit_seconds = arguments.ranks.heartbeat_limit_seconds;
    if (limit_seconds > 0 && !arguments.system.named.is("load-thread", "off") && ranks.gate().level() == MpiThreadLevel::multiple) {
      watch_.emplace(ranks, limit_seconds,
                     [rank = ranks.rank(), limit_seconds](Rank lost) { leave_without(lost, rank, limit_seconds); });
    }
  }

  /// Waits, without keeping a core busy, until all processes are done. The watch runs to the end, so nobody waits here for a dead
  /// process, or afterwards for those that said goodbye.
  void meet() {
    (void)all_gather(ranks(), {});
    watch_.reset();
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  [[nodiscard]] const Communicator& ranks() const { return processes_.ranks(); }

 private:
  LaunchedProcesses processes_;
  std::optional<MpiRankWatch> watch_;
};

// Releases the last reference.
void end_processes(std::shared_ptr<Processes> processes, Rank rank, ExitCode code) {
  try {
    processes->meet();
  } catch (const std::exception& error) {
    leave_at_once(rank, error.what());
  }
  constexpr double kEndSeconds = 3;
  const EndTimer timer(code, kEndSeconds);
  processes.reset();
}

}  // namespace

ExitCode run_on_mpi(const SolveArguments& arguments, int num_threads, const Launch& launch, Farewell& farewell,
                    const std::function<ExitCode(const Communicator&)>& work) {
  ignore_news_of_deaths();
  const auto processes = std::make_shared<Processes>(arguments, num_threads, launch);
  farewell = [held = processes, rank = launch.rank](ExitCode code) mutable { end_processes(std::move(held), rank, code); };
  try {
    return work(processes->ranks());
  } catch (const CommunicationError& error) {
    leave_at_once(launch.rank, error.what());
  } catch (const Error&) {
    throw;  // on all processes alike
  } catch (const std::exception& error) {
    leave_at_once(launch.rank, error.what());
  }
}

ExitCode run_distributed_solve(const SolveArguments& arguments, const Launch& launch, Farewell& farewell) {
  warn_of_blas(launch.rank);
  return run_on_mpi(arguments, arguments.system.num_threads, launch, farewell, [&arguments](const Communicator& ranks) {
    return solve_at(rank_place({std::shared_ptr<void>(), &ranks}), arguments);
  });
}

}  // namespace frond
