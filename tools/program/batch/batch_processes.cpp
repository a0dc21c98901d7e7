// SPDX-License-Identifier: BSD-3-Clause
// Runs batches over ranks.
#include "tools/program/batch/batch_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/place.hpp"
#include "matrices/counted.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tools/program/batch/batch_course.hpp"
#include "tools/program/batch/batch_solver.hpp"
#include "tools/program/solve/mpi_processes.hpp"

namespace frond {
namespace {

BatchOptions options_of_rank(const BatchArguments& arguments, const BatchPlace& place, const std::shared_ptr<BatchStop>& stop) {
  BatchOptions options = batch_options(arguments);
  options.num_workers = std::max(1, options.num_workers);
  options.num_processes = place.num_local;
  options.solver.observer = stop;
  return options;
}

// The state of each process. It reads the list when it gets its first system: an error there is an error on all.
class RankSolver {
 public:
  using Done = std::function<void(Count, const BatchResult&)>;

  RankSolver(const BatchArguments& arguments, BatchOptions options, Rank num_ranks)
      : arguments_(arguments), solver_(arguments, items_, options) {
    if (options.group_size > 1 && options.group_size < num_ranks) {
      options.group_size = num_ranks;
      together_.emplace(arguments, items_, std::move(options));
    }
  }

  [[nodiscard]] const std::vector<BatchItem>& items() {
    std::call_once(is_read_, [this] { items_ = read_batch_list(arguments_.list); });
    return items_;
  }
  [[nodiscard]] int num_workers() const { return solver_.batch().num_workers(); }

  /// All processes make this call; the systems are those of the first one, which calls done() for each.
  void run(const Place& processes, const std::vector<Count>& systems, const Done& done) {
    if (arguments_.group_size == 1) {
      solver_.batch().run(
          processes, systems, [this](Count system) { return line_of(system, solver_.solve(number_of(system))); }, by_lines(done));
      return;
    }
    std::vector<Count> too_large;
    run_in_groups(solver_, processes, systems, [&](Count system, const BatchResult& result) {
      if (together_ && result.verdict == kTooLarge) {
        too_large.push_back(system);
      } else {
        done(system, result);
      }
    });
    if (together_) {
      std::sort(too_large.begin(), too_large.end());
      if (!too_large.empty()) {
        fmt::print("{:<15}{} too large for a group, once more by all processes\n", "together", too_large.size());
      }
      run_in_groups(*together_, processes, too_large, done);
    }
  }

 private:
  [[nodiscard]] std::size_t number_of(Count system) {
    const auto number = static_cast<std::size_t>(system);
    if (number >= items().size()) {
      throw InputError(arguments_.list, 0, "has fewer systems than when the run began");
    }
    return number;
  }
  [[nodiscard]] std::string line_of(Count system, const BatchResult& result) const {
    const auto number = static_cast<std::size_t>(system);
    return result_line(number, items_[number], result);
  }
  [[nodiscard]] std::function<void(Count, const std::string&)> by_lines(const Done& done) {
    return [this, &done](Count system, const std::string& line) {
      if (const auto found = read_result_line(line, items())) {
        done(system, found->second);
      } else {
        throw InputError(arguments_.list, 0, "is not the same for all processes");
      }
    };
  }
  void run_in_groups(const BatchSolver& solver, const Place& processes, const std::vector<Count>& systems, const Done& done) {
    const auto work = [&](const Place& group, Count system) -> std::string {
      const bool leads = group.rank() == 0;
      agree(communicator_of(group), [&] { (void)(leads ? number_of(system) : 0); });
      const BatchResult result = solve_in_group(solver, group, static_cast<std::size_t>(system));
      return leads ? line_of(system, result) : "";
    };
    solver.batch().run(processes, systems, work, by_lines(done));
  }

  const BatchArguments& arguments_;
  std::once_flag is_read_;
  std::vector<BatchItem> items_;
  BatchSolver solver_;
  std::optional<BatchSolver> together_;  // all processes as one group, for systems too large for a smaller one
};

std::string words_of(const Place& processes, const BatchArguments& arguments, int num_workers) {
  return fmt::format("{}{}{}", counted(processes.num_ranks(), "process", "processes"),
                     arguments.group_size > 1 ? fmt::format(" in groups of {}", arguments.group_size) : "",
                     num_workers > 1 ? fmt::format(" of {} workers", num_workers) : "");
}

ExitCode lead(const Place& processes, const BatchArguments& arguments, const BatchPlace& place, RankSolver& solver,
              const std::shared_ptr<BatchStop>& stop) {
  bool has_dealt = false;
  try {
    make_output_folder(arguments);
    BatchCourse course(arguments, solver.items(), place.results, stop);
    const int num_workers = solver.num_workers();
    BatchTeam team{.words = words_of(processes, arguments, num_workers),
                   .divides_memory = arguments.group_size == 1 && num_workers * place.num_local > 1,
                   .conclude = place.conclude};
    team.deal = [&](const std::vector<Count>& systems, const auto& done) {
      has_dealt = true;
      solver.run(processes, systems, done);
    };
    return course.run(team);
  } catch (const CommunicationError&) {
    throw;
  } catch (...) {
    if (!has_dealt) {
      solver.run(processes, {}, {});  // so that the others do not wait
    }
    throw;
  }
}

ExitCode follow(const Place& processes, const BatchArguments& arguments, RankSolver& solver, const BatchStop& stop) {
  try {
    solver.run(processes, {}, {});
  } catch (const StoppedError&) {
    stop.throw_stopped(0, 0, arguments.results);
  }
  return ExitCode::success;
}

}  // namespace

ExitCode run_batch_on_ranks(const Place& processes, const BatchArguments& arguments, const BatchPlace& place,
                            const std::shared_ptr<BatchStop>& stop) {
  RankSolver solver(arguments, options_of_rank(arguments, place, stop), processes.num_ranks());
  return processes.rank() == 0 ? lead(processes, arguments, place, solver, stop) : follow(processes, arguments, solver, *stop);
}

ExitCode run_batch_on_mpi(const BatchArguments& arguments, const Launch& launch, Farewell& farewell) {
  const int num_threads = std::max(1, arguments.num_workers) * std::max(1, arguments.solve.system.num_threads);
  return run_on_mpi(arguments.solve, num_threads, launch, farewell, [&](const Communicator& communicator) {
    const auto stop = std::make_shared<BatchStop>(launch.rank == 0);
    const Place processes = rank_place(std::make_shared<const Communicator>(communicator.duplicate()));
    return run_batch_on_ranks(
        processes, arguments,
        {.num_local = launch.num_local > 0 ? launch.num_local : launch.num_ranks, .results = arguments.results}, stop);
  });
}

}  // namespace frond
