// SPDX-License-Identifier: BSD-3-Clause
// Implements frond simulate in the simulator.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/options/byte_size.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/arguments/ordering_file.hpp"
#include "tools/program/process/atomic_output.hpp"
#include "tools/program/process/progress_bar.hpp"
#include "tools/program/process/stopwatch.hpp"
#include "tools/program/records/mapping_record.hpp"
#include "tools/simulation/failure_advice.hpp"
#include "tools/simulation/simulation_advice.hpp"
#include "tools/simulation/simulation_arguments.hpp"
#include "tools/simulation/simulation_commands.hpp"
#include "tools/simulation/simulation_page.hpp"
#include "tools/simulation/simulation_record.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

constexpr Rank kMostAdvisedRanks = 512;  // by default: more take minutes to simulate

/// The requested simulations of one matrix.
template <Scalar S>
class Simulations {
 public:
  Simulations(const SparseMatrix<S>& matrix, const SimulateArguments& arguments, const std::optional<MachineProfile>& machine)
      : matrix_(matrix),
        arguments_(arguments),
        solver_(solver_options(arguments.system)),
        method_(choose_method<S>(matrix, solver_)),
        options_(simulation_options(arguments, machine)) {
    options_.costs = cost_model(arguments.costs, machine, method_, scalar_name<S>());
    sweep_ = Json{{"matrix", arguments.system.matrix}, {"order", matrix.num_rows}, {"entries", matrix.num_entries()},
                  {"method", to_string(method_)},      {"runs", Json::array()},    {"failed_runs", Json::array()}};
  }

  /// Simulates one number of ranks after the other: each has its own tree.
  void run_sweep(const SimulationAxes& axes) {
    const std::vector<SimulationCase> cases = axes.cases();
    ProgressBar bar("simulating", stderr);
    std::size_t num_ended = 0;
    const auto on_end = [&] { bar.update(static_cast<double>(++num_ended) / static_cast<double>(cases.size())); };
    for (const Rank num_ranks : axes.num_ranks) {
      std::vector<SimulationCase> of_ranks;
      std::copy_if(cases.begin(), cases.end(), std::back_inserter(of_ranks),
                   [num_ranks](const SimulationCase& one) { return one.num_ranks == num_ranks; });
      add_runs(analyzed(num_ranks), of_ranks, options_, resolve_threads(arguments_.num_jobs), on_end, sweep_);
    }
  }

  void write_sweep() {
    std::fputs(sweep_table(sweep_).c_str(), summary_stream(arguments_.system));
    write_text_if_asked(arguments_.table, [&] { return sweep_tsv(sweep_); });
    write_text_if_asked(arguments_.system.json, [&] { return sweep_.dump(2) + "\n"; });
    if (sweep_["runs"].empty()) {
      throw UsageError("no simulation has come to its end; the table says why");
    }
    if (!arguments_.html.empty()) {
      const std::size_t fastest = fastest_run(sweep_);
      const SimulationCase one = case_of(sweep_["runs"][fastest]);
      const ProgressBar bar("writing the page", stderr);
      const SimulatedSystem system = analyzed(one.num_ranks);
      SimulationOptions recorded = options_of(one, options_);
      recorded.records_work = true;
      const SimulationResult result = simulate_factorization(system, recorded);  // once more
      write_text(arguments_.html, simulation_page(sweep_, shown_run(fastest, system, one.schedule, result)));
    }
  }

  /// Doubles the number of ranks until more are not worthwhile.
  void run_advice(const SimulationAxes& axes) {
    const AdviceLimits limits{
        arguments_.advice.max_memory_per_rank.empty() ? 0 : parse_byte_size(arguments_.advice.max_memory_per_rank)};
    if (!arguments_.num_ranks.empty()) {
      run_sweep(axes);
    } else {
      SimulationAxes some = axes;
      for (Rank num_ranks = 1; num_ranks <= kMostAdvisedRanks; num_ranks *= 2) {
        some.num_ranks = {num_ranks};
        run_sweep(some);
        if (!may_more_pay(sweep_, limits)) {
          break;
        }
      }
    }
    sweep_["advised_run"] = nullptr;
    if (const std::optional<std::size_t> advised = advised_run(sweep_, limits)) {
      sweep_["advised_run"] = *advised;
    }
    if (sweep_["advised_run"].is_number() && !arguments_.advice.mean_time_between_failures.empty()) {
      sweep_["failures"] = advise_on_failures(sweep_["runs"][sweep_["advised_run"].get<std::size_t>()]);
    }
    write_sweep();
    std::fputs(advice_text(sweep_, limits).c_str(), summary_stream(arguments_.system));
    if (sweep_.contains("failures")) {
      std::fputs(failure_text(sweep_["failures"]).c_str(), summary_stream(arguments_.system));
    }
  }

  void run_one(const SimulationCase& one) {
    const Stopwatch analysis_watch;
    const SimulatedSystem system = analyzed(one.num_ranks);
    const double analysis_seconds = analysis_watch.seconds();
    SimulationOptions options = options_of(one, options_);
    options.records_work = !arguments_.html.empty();
    const Stopwatch watch;
    const SimulationResult result = [&] {
      const ProgressBar bar("simulating", stderr);
      return simulate_factorization(system, options);
    }();
    const MappingFacts mapping =
        mapping_facts(*system.symbolic, system.method, sizeof(S), mapping_options(system.mapping, one.schedule));
    std::FILE* stream = summary_stream(arguments_.system);
    print_mapping(stream, mapping);
    print_simulation(stream, result, options, sizeof(S));
    std::fprintf(stream, "seconds        analyze %.3f, simulate %.3f\n", analysis_seconds, watch.seconds());
    Json record = simulation_json(result, options, sizeof(S));
    if (!arguments_.system.json.empty()) {
      Json json = {{"matrix", sweep_["matrix"]}, {"method", sweep_["method"]}};
      json.update(mapping_json(mapping));
      json.update(record);
      write_text(arguments_.system.json, json.dump(2) + "\n");
    }
    if (!arguments_.html.empty()) {
      sweep_["runs"].push_back(std::move(record));
      write_text(arguments_.html, simulation_page(sweep_, shown_run(0, system, one.schedule, result)));
    }
  }

 private:
  // Simulates the same run with a checkpoint, on a disk like that of the folder.
  Json advise_on_failures(const Json& run) {
    constexpr double kNumLists = 50;  // sampled for failures
    DiskRates disk = measure_disk(arguments_.advice.checkpoint_folder);
    disk.bytes_per_second = arguments_.disk_bytes_per_second.value_or(disk.bytes_per_second);
    SimulationOptions options = options_;
    options.machine.disk_bytes_per_second = disk.bytes_per_second;
    options.list_seconds = run.at("predicted_seconds").get<double>() / kNumLists;
    const SimulationCase one = case_of(run);
    Json with = {{"runs", Json::array()}, {"failed_runs", Json::array()}};
    add_runs(
        analyzed(one.num_ranks), {one}, options, 1, [] {}, with);
    if (with["runs"].empty()) {
      throw UsageError("the simulation with a checkpoint has failed: " + with["failed_runs"][0].at("error").get<std::string>());
    }
    return failure_json(run, with["runs"][0], disk, check_failure_time(arguments_.advice.mean_time_between_failures));
  }

  // Returns the ranks that hold the root's grid: on each host as many as it has cores. Empty: all.
  [[nodiscard]] std::vector<Rank> one_rank_per_core(Rank num_ranks) const {
    std::vector<Rank> ranks;
    if (const Count num_cores = Count{arguments_.machine.num_hosts} * arguments_.machine.cores_per_host;
        num_cores > 0 && num_cores < num_ranks) {
      ranks.resize(static_cast<std::size_t>(num_cores));
      std::iota(ranks.begin(), ranks.end(), Rank{0});
    }
    return ranks;
  }

  SimulatedSystem analyzed(Rank num_ranks) {
    solver_.analysis.mapping.num_ranks = num_ranks;
    solver_.analysis.mapping.grid_ranks = one_rank_per_core(num_ranks);
    const ProgressBar bar("analyzing", stderr);
    const std::shared_ptr<const Symbolic> symbolic = analyze_system<S>(matrix_, solver_).symbolic;
    if (!arguments_.system.write_ordering.empty()) {
      write_ordering(arguments_.system.write_ordering, *symbolic);
    }
    return {symbolic, method_, sizeof(S), sizeof(RealOf<S>), solver_.analysis.mapping};
  }

  const SparseMatrix<S>& matrix_;
  const SimulateArguments& arguments_;
  SolverOptions solver_;
  Method method_;
  SimulationOptions options_;
  Json sweep_;  // of a sweep, or of a run for a page
};

ExitCode run_simulate(const SimulateArguments& arguments) {
  check_arguments(arguments);
  const SimulationAxes axes = sweep_axes(arguments);
  const std::optional<MachineProfile> machine =
      arguments.costs.machine.empty() ? std::nullopt : std::optional(read_machine_profile(arguments.costs.machine));
  const AnyMatrix any = read_matrix_input(arguments.system, arguments.system.matrix).matrix;
  std::visit(
      [&]<Scalar S>(const SparseMatrix<S>& matrix) {
        Simulations<S> simulations(matrix, arguments, machine);
        if (arguments.advice.advises) {
          simulations.run_advice(axes);
        } else if (arguments.sweeps) {
          simulations.run_sweep(axes);
          simulations.write_sweep();
        } else {
          simulations.run_one(axes.cases().front());
        }
      },
      any);
  return ExitCode::success;
}

}  // namespace

void add_simulation_command(CLI::App& program, const Launch& launch, ExitCode& result) {
  CLI::App* command =
      program.add_subcommand("simulate", "Predict a factorization over many processes, by the scheduler that ships");
  command->footer(
      "The tasks, messages and decisions are those of mpiexec.mpich -n P frond solve; fronts have sizes but no entries, pivots "
      "are\n"
      "never delayed, and time is virtual. docs/simulation.md explains what is modelled and how.\n\n"
      "Examples:\n  frond simulate A.mtx --ranks 64 --load-exchange snapshot --schedule memory\n"
      "  frond simulate A.mtx --ranks 512 --flops 5e9 --latency 5e-6 --bandwidth 1e9 --json run.json\n"
      "  frond simulate A.mtx --sweep --ranks 16,64,256 --schedule memory --html report.html");
  const auto arguments = std::make_shared<SimulateArguments>();
  add_simulate_options(*command, *arguments);
  run_alone(*command, arguments, run_simulate, launch, result);
}

}  // namespace frond
