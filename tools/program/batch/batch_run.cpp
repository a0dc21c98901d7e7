// SPDX-License-Identifier: BSD-3-Clause
// Selects where a batch runs, and runs the workers of one process.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "frond/error.hpp"
#include "tools/program/batch/batch_course.hpp"
#include "tools/program/batch/batch_processes.hpp"
#include "tools/program/solve/surviving_solve.hpp"

namespace frond {
namespace {

// Workers that would be idle get no part of the memory.
BatchOptions local_options(const BatchArguments& arguments, std::size_t num_systems, const std::shared_ptr<BatchStop>& stop) {
  BatchOptions options = batch_options(arguments);
  const int asked = options.num_workers > 0 ? options.num_workers : Batch(options).num_workers();
  options.num_workers = static_cast<int>(std::clamp<std::size_t>(num_systems, 1, static_cast<std::size_t>(asked)));
  options.solver.observer = stop;
  return options;
}

ExitCode run_in_one_process(const BatchArguments& arguments, const std::vector<BatchItem>& items) {
  const auto stop = std::make_shared<BatchStop>(true);
  BatchCourse course(arguments, items, arguments.results, stop);
  const BatchSolver solver(arguments, items, local_options(arguments, course.to_do().size(), stop));
  const int num_workers = solver.batch().num_workers();
  BatchTeam team{.words = fmt::format("{} workers", num_workers), .divides_memory = num_workers > 1};
  std::mutex mutex;
  team.deal = [&](const std::vector<Count>& systems, const auto& done) {
    solver.batch().run(static_cast<Count>(systems.size()), [&](Count k) {
      const Count system = systems[k];
      const BatchResult result = solver.solve(static_cast<std::size_t>(system));
      const std::lock_guard lock(mutex);
      done(system, result);
    });
  };
  return course.run(team);
}

// Finds errors before any process starts. Returns how many systems have no results yet.
std::size_t count_to_do(const BatchArguments& arguments, const std::vector<BatchItem>& items) {
  (void)Batch(batch_options(arguments));
  return items.size() - BatchResults(arguments.results, items).all().size();
}

ExitCode start_processes(BatchArguments arguments, const std::vector<BatchItem>& items, const Launch& launch) {
  RanksArguments& ranks = arguments.solve.ranks;
  if (!ranks.survive.empty()) {
    check_survival(ranks, launch);
  }
  if (!launch.is_by_mpich) {
    const auto num_processes =
        static_cast<Rank>(std::clamp<std::size_t>(count_to_do(arguments, items), 1, static_cast<std::size_t>(ranks.num_processes)));
    if (num_processes == 1) {
      arguments.num_workers = std::max(1, arguments.num_workers);
      return run_in_one_process(arguments, items);
    }
    ranks.num_processes = num_processes;
  }
  return start_batch_processes(arguments, launch);
}

// Rejects impossible groups before any process starts.
void check_groups(const BatchArguments& arguments, const Launch& launch) {
  const int size = arguments.group_size;
  if (size == 1) {
    return;
  }
  if (!arguments.solve.ranks.survive.empty()) {
    throw UsageError(fmt::format(
        "--group {} with --survive: nobody goes on with what a group has begun that has lost a process; leave one of them out",
        size));
  }
  if (arguments.num_workers > 1) {
    throw UsageError(
        fmt::format("--group {} with --workers {}: a group solves one system at a time; --threads gives each of its "
                    "processes more cores",
                    size, arguments.num_workers));
  }
  const Rank num_processes = launch.is_by_mpich ? launch.num_ranks : arguments.solve.ranks.num_processes;
  if (num_processes % size != 0) {
    throw UsageError(
        fmt::format("--group {} with {} process{}: start {} of them, or another multiple of {}, by --processes or "
                    "mpiexec.mpich",
                    size, num_processes, num_processes == 1 ? "" : "es", (num_processes / size + 1) * size, size));
  }
}

}  // namespace

ExitCode run_batch(const BatchArguments& arguments, const Launch& launch, Farewell& farewell) {
  const RanksArguments& ranks = arguments.solve.ranks;
  if (launch.is_by_mpich && ranks.num_processes > 1) {
    throw UsageError(fmt::format("--processes {}: mpiexec has started {} already; leave one of them out", ranks.num_processes,
                                 launch.num_ranks));
  }
  check_groups(arguments, launch);
  if (launch.is_by_mpich && ranks.survive.empty()) {
    return run_batch_on_mpi(arguments, launch, farewell);
  }
  if (arguments.group_size > 1) {
    become_mpi_processes(arguments.solve);
  }
  make_output_folder(arguments);
  const std::vector<BatchItem> items = read_batch_list(arguments.list);
  return ranks.num_processes > 1 || !ranks.survive.empty() ? start_processes(arguments, items, launch)
                                                           : run_in_one_process(arguments, items);
}

}  // namespace frond
