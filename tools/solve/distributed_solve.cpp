// SPDX-License-Identifier: BSD-3-Clause
// The processes that solve together: how they begin, watch each other, and end.
#include "tools/solve/distributed_solve.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "factorization/ranks/work_search.hpp"
#include "frond/error.hpp"
#include "loadinfo/mpi/mpi_environment.hpp"
#include "loadinfo/mpi/mpi_rank_watch.hpp"
#include "loadinfo/mpi/mpi_world.hpp"
#include "loadinfo/ranks/collective.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "solver/checkpoint/checkpoint_directory.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/sweeps/lower_factors.hpp"
#include "tools/arguments/schur_arguments.hpp"
#include "tools/process/bind_processes.hpp"
#include "tools/process/end_timer.hpp"
#include "tools/process/standard_error.hpp"
#include "tools/solve/foreign_analysis.hpp"
#include "tools/solve/rank_stage.hpp"
#include "tools/solve/single_precision.hpp"
#include "tools/solve/solve_run.hpp"

namespace frond {
namespace {

void tell_of_rank(Rank rank, const std::string& text) {
  tell_on_stderr(fmt::format("frond: error: rank {}: {}\n", rank, text));
  std::fflush(nullptr);
}

// Without destructors: MPI would wait for who is gone.
[[noreturn]] void leave_at_once(Rank rank, const std::string& text) {
  tell_of_rank(rank, text);
  std::_Exit(static_cast<int>(ExitCode::process_lost));
}

MpiThreadLevel thread_level(const std::string& name) {
  const std::map<std::string, MpiThreadLevel> levels = {
      {"multiple", MpiThreadLevel::multiple}, {"serialized", MpiThreadLevel::serialized}, {"funneled", MpiThreadLevel::funneled}};
  return levels.at(name);
}

SolverOptions distributed_options(const SolveArguments& arguments) {
  SolverOptions options = solver_options(arguments);
  options.factorization.num_threads = arguments.system.num_threads;  // 0: a share of the machine
  options.ranks.load_exchange = parse_load_mechanism(arguments.ranks.load_exchange);
  options.ranks.schedule = parse_schedule(arguments.ranks.schedule);
  options.ranks.sharing = parse_work_sharing(arguments.ranks.work);
  options.ranks.chunks = parse_chunk_kind(arguments.ranks.chunks);
  LoadServiceOptions& service = options.ranks.load_service;
  service.use_thread = arguments.ranks.load_thread == "on";
  service.shortest_period = std::chrono::microseconds(arguments.ranks.load_period_us);
  service.longest_period = std::max(service.longest_period, service.shortest_period);
  options.ranks.watchdog_seconds = arguments.ranks.watchdog_seconds;
  options.ranks.tell_wait = [](const std::string& text) { tell_on_stderr(fmt::format("frond: watchdog: {}\n", text)); };
  return options;
}

// Told not to clean up, MPICH's launcher signals the death of a process to the others, and an unhandled signal would end them
// before they can say who is gone.
void ignore_news_of_deaths() { std::signal(SIGUSR1, SIG_IGN); }

// With the first process that leaves, the launcher may end the others: they have time to say why, too.
[[noreturn]] void leave_without(Rank lost, Rank rank, double limit_seconds) {
  tell_of_rank(rank, fmt::format("rank {} has given no sign of life for {} s; its process or its machine is gone, or stopped for "
                                 "longer than --heartbeat-limit allows",
                                 lost, limit_seconds));
  std::this_thread::sleep_for(std::chrono::duration<double>(std::min(5.0, limit_seconds / 4)));
  std::_Exit(static_cast<int>(ExitCode::process_lost));
}

// The processes that solve together, watched if that is wanted and can be. MPI ends with it.
class Processes {
 public:
  Processes(const SolveArguments& arguments, const Launch& launch)
      : environment_(thread_level(arguments.ranks.mpi_threads)), ranks_(mpi_world(std::make_shared<MpiGate>(mpi_thread_level()))) {
    if (ranks_.num_ranks() != launch.num_ranks) {
      throw UsageError(
          fmt::format("the launcher has started {} processes, but MPI knows of {}: call the mpiexec.mpich of the MPICH "
                      "that Frond is built with",
                      launch.num_ranks, ranks_.num_ranks()));
    }
    if (arguments.ranks.bind == "auto") {
      bind_to_processors(ranks_, arguments.system.num_threads);
    }
    const double limit_seconds = arguments.ranks.heartbeat_limit_seconds;
    if (limit_seconds > 0 && arguments.ranks.load_thread == "on" && ranks_.gate().level() == MpiThreadLevel::multiple) {
      watch_.emplace(ranks_, limit_seconds,
                     [rank = ranks_.rank(), limit_seconds](Rank lost) { leave_without(lost, rank, limit_seconds); });
    }
  }

  /// Waits, without keeping a core busy, until all have nothing left to do. Watched to the end: nobody waits here for a process
  /// that has died. Those that say goodbye afterwards are waited for by nobody.
  void meet() {
    (void)all_gather(ranks_, {});
    watch_.reset();
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  [[nodiscard]] const Communicator& ranks() const { return ranks_; }

 private:
  MpiEnvironment environment_;
  Communicator ranks_;
  std::optional<MpiRankWatch> watch_;
};

template <Scalar S>
ExitCode run_on(const Communicator& ranks, const SolveArguments& arguments, SolverOptions options, SparseMatrix<WideOf<S>>* matrix,
                SparseMatrix<WideOf<S>>* analysed, double read_seconds) {
  RankStage<S> stage(ranks, std::move(options));
  return SolveRun<S, RankStage<S>>(stage, arguments, matrix, analysed, read_seconds).run();
}

// Takes the last reference.
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

ExitCode solve_on_ranks(const Communicator& ranks, const SolveArguments& arguments) {
  double read_seconds = 0;
  SolverOptions options;
  std::optional<AnyMatrix> any;
  std::optional<AnyMatrix> other;  // whose analysis serves, if it is not the same
  agree(ranks, [&] {
    options = distributed_options(arguments);  // what is wrong in the arguments comes before the work
    if (ranks.rank() == 0) {
      check_files(arguments);
      if (!arguments.checkpoint.empty()) {
        make_checkpoint_directory(arguments.checkpoint);
      }
      std::vector<Index>& kept = options.analysis.schur_variables;
      kept = parse_schur_variables(arguments.schur);
      any = read_square_matrix(arguments.system.matrix, read_seconds);
      check_schur_list(arguments.schur, kept, order_of(*any));
      other = read_analysed_matrix(arguments, *any, read_seconds);
    }
  });
  bool is_complex = any && std::holds_alternative<SparseMatrix<std::complex<double>>>(*any);
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&is_complex, 1)));
  const auto run = [&]<Scalar W>(SparseMatrix<W>* matrix) {
    SparseMatrix<W>* analysed = matrix_of<W>(other);
    return arguments.precision == "single"
               ? run_on<LowerOf<W>>(ranks, arguments, std::move(options), matrix, analysed, read_seconds)
               : run_on<W>(ranks, arguments, std::move(options), matrix, analysed, read_seconds);
  };
  return is_complex ? run(matrix_of<std::complex<double>>(any)) : run(matrix_of<double>(any));
}

ExitCode run_distributed_solve(const SolveArguments& arguments, const Launch& launch, Farewell& farewell) {
  ignore_news_of_deaths();
  const auto processes = std::make_shared<Processes>(arguments, launch);
  farewell = [held = processes, rank = launch.rank](ExitCode code) mutable { end_processes(std::move(held), rank, code); };
  try {
    return solve_on_ranks(processes->ranks(), arguments);
  } catch (const CommunicationError& error) {
    leave_at_once(launch.rank, error.what());
  } catch (const Error&) {
    throw;  // on all processes alike
  } catch (const std::exception& error) {
    leave_at_once(launch.rank, error.what());
  }
}

}  // namespace frond
