// SPDX-License-Identifier: BSD-3-Clause
// frond simulate, as its program understands it.
#include "tools/simulation/simulation_command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "solver/factorization.hpp"
#include "tools/atomic_output.hpp"
#include "tools/byte_size.hpp"
#include "tools/exchange_arguments.hpp"
#include "tools/mapping_record.hpp"
#include "tools/progress_bar.hpp"
#include "tools/simulation/simulate.hpp"
#include "tools/simulation/simulation_page.hpp"
#include "tools/simulation/simulation_record.hpp"
#include "tools/simulation/simulation_sweep.hpp"
#include "tools/simulation/simulation_timeline.hpp"
#include "tools/stopwatch.hpp"
#include "tools/system_arguments.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

struct SimulateArguments {
  SystemArguments system;
  std::vector<Rank> num_ranks;
  std::vector<std::string> load_exchanges;
  std::vector<std::string> schedules;
  std::vector<std::string> load_threads;
  int load_period_us = 50;
  std::string load_traffic = "events";
  std::string memory_limit;
  std::vector<std::string> slowed;
  SimulatedCore core;
  SimulatedMachine machine;
  bool sweeps = false;
  int num_jobs = 0;
  std::string table;
  std::string html;
};

// RANK:FACTOR
std::map<Rank, double> parse_slowness(const std::vector<std::string>& texts) {
  std::map<Rank, double> slowness;
  for (const std::string& text : texts) {
    Rank rank = 0;
    double factor = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%d:%lf%c", &rank, &factor, &rest) != 2 || rank < 0 || !(factor > 0)) {
      throw UsageError("--slow " + text + ": RANK:FACTOR is expected, such as 3:4 for rank 3 taking 4 times as long");
    }
    slowness[rank] = factor;
  }
  return slowness;
}

SimulationOptions simulation_options(const SimulateArguments& arguments) {
  SimulationOptions options;
  options.load_period_seconds = 1e-6 * arguments.load_period_us;
  options.memory_limit = arguments.memory_limit.empty() ? 0 : parse_byte_size(arguments.memory_limit);
  options.core = arguments.core;
  options.machine = arguments.machine;
  options.machine.slowness = parse_slowness(arguments.slowed);
  options.load_traffic = arguments.load_traffic == "flows" ? LoadTraffic::flows : LoadTraffic::events;
  return options;
}

template <class Value, class Parse>
std::vector<Value> parsed(const std::vector<std::string>& texts, Parse parse) {
  std::vector<Value> values;
  std::transform(texts.begin(), texts.end(), std::back_inserter(values), parse);
  return values;
}

// What is not said: everything in a sweep, and else the defaults.
SweepAxes sweep_axes(const SimulateArguments& arguments) {
  const auto otherwise = [&](auto given, auto all, auto one) { return !given.empty() ? given : arguments.sweeps ? all : one; };
  using Texts = std::vector<std::string>;
  const ExchangeArguments defaults;
  SweepAxes axes;
  axes.num_ranks = otherwise(arguments.num_ranks, std::vector<Rank>{8, 16, 32, 64, 128}, std::vector<Rank>{16});
  axes.load_exchanges =
      parsed<LoadMechanism>(otherwise(arguments.load_exchanges, Texts{"naive", "increments", "snapshot", "partial-snapshot"},
                                      Texts{defaults.load_exchange}),
                            parse_load_mechanism);
  axes.schedules =
      parsed<Schedule>(otherwise(arguments.schedules, Texts{"flops", "memory"}, Texts{defaults.schedule}), parse_schedule);
  axes.load_threads = parsed<bool>(otherwise(arguments.load_threads, Texts{"on"}, Texts{defaults.load_thread}),
                                   [](const std::string& text) { return text == "on"; });
  return axes;
}

template <Scalar S>
class Simulation {
 public:
  Simulation(const SparseMatrix<S>& matrix, const SimulateArguments& arguments)
      : matrix_(matrix), arguments_(arguments), solver_(solver_options(arguments.system)), options_(simulation_options(arguments)) {
    sweep_ = Json{{"matrix", arguments.system.matrix},
                  {"order", matrix.num_rows},
                  {"entries", matrix.num_entries()},
                  {"method", to_string(choose_method<S>(matrix, solver_))},
                  {"runs", Json::array()},
                  {"failed_runs", Json::array()}};
  }

  /// The numbers of ranks one after the other: each has its own tree.
  void run_sweep(const SweepAxes& axes) {
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
    std::fputs(sweep_table(sweep_).c_str(), summary_stream(arguments_.system));
    if (!arguments_.table.empty()) {
      write_text(arguments_.table, sweep_tsv(sweep_));
    }
    if (!arguments_.system.json.empty()) {
      write_text(arguments_.system.json, sweep_.dump(2) + "\n");
    }
    if (!arguments_.html.empty() && !sweep_["runs"].empty()) {
      add_timeline(analyzed(case_of(sweep_["runs"][fastest_run(sweep_)]).num_ranks), options_, sweep_);
      write_text(arguments_.html, simulation_page(sweep_));
    }
    if (sweep_["runs"].empty()) {
      throw UsageError("no simulation has come to its end; the table tells why");
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
    std::FILE* stream = summary_stream(arguments_.system);
    const MappingFacts mapping = mapping_facts(*system.symbolic, system.method, sizeof(S), system.mapping);
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
      sweep_["shown_run"] = 0;
      sweep_["timeline"] = timeline_json(result, task_graph(system, one.schedule));
      sweep_["tree"] = tree_json(system.symbolic->tree(), task_graph(system, one.schedule));
      write_text(arguments_.html, simulation_page(sweep_));
    }
  }

 private:
  SimulatedSystem analyzed(Rank num_ranks) {
    solver_.analysis.mapping.num_ranks = num_ranks;
    const ProgressBar bar("analyzing", stderr);
    return {analyze(matrix_, solver_), choose_method<S>(matrix_, solver_), sizeof(S), sizeof(RealOf<S>), solver_.analysis.mapping};
  }

  const SparseMatrix<S>& matrix_;
  const SimulateArguments& arguments_;
  SolverOptions solver_;
  SimulationOptions options_;
  Json sweep_;
};

void check_arguments(const SimulateArguments& arguments, const SweepAxes& axes) {
  std::vector<FileArgument> outputs = output_files(arguments.system);
  outputs.push_back({"--table", arguments.table});
  outputs.push_back({"--html", arguments.html});
  std::vector<FileArgument> inputs = input_files(arguments.system);
  inputs.push_back({"--platform", arguments.machine.platform_file});
  check_file_arguments(inputs, outputs);
  if (!arguments.sweeps && axes.cases().size() > 1) {
    throw UsageError("several values of --ranks, --load-exchange, --schedule or --load-thread are for --sweep");
  }
  if (!arguments.sweeps && !arguments.table.empty()) {
    throw UsageError("--table is for --sweep");
  }
}

ExitCode run_simulate(const SimulateArguments& arguments) {
  const SweepAxes axes = sweep_axes(arguments);
  check_arguments(arguments, axes);
  double read_seconds = 0;
  const AnyMatrix any = read_square_matrix(arguments.system.matrix, read_seconds);
  std::visit(
      [&]<Scalar S>(const SparseMatrix<S>& matrix) {
        Simulation<S> simulation(matrix, arguments);
        arguments.sweeps ? simulation.run_sweep(axes) : simulation.run_one(axes.cases().front());
      },
      any);
  return ExitCode::success;
}

CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<std::string>& texts, const std::string& help,
                      const std::vector<std::string>& choices, const std::string& default_text) {
  return command.add_option(name, texts, help)
      ->check(CLI::IsMember(choices))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str(default_text)
      ->group("How processes know each other's load");
}

void add_load_options(CLI::App& command, SimulateArguments& arguments) {
  const ExchangeArguments defaults;
  add_list(command, "--load-exchange", arguments.load_exchanges,
           "how processes know each other's load: naive, increments, snapshot or partial-snapshot",
           {"naive", "increments", "snapshot", "partial-snapshot"}, defaults.load_exchange)
      ->type_name("HOW");
  add_list(command, "--schedule", arguments.schedules, "what dynamic decisions balance: flops or memory", {"flops", "memory"},
           defaults.schedule)
      ->type_name("WHAT");
  add_list(command, "--load-thread", arguments.load_threads, "on: a thread of each process serves load messages while it computes",
           {"on", "off"}, defaults.load_thread)
      ->type_name("on|off");
  const std::string group = "How processes know each other's load";
  command.add_option("--load-period", arguments.load_period_us, "microseconds between its looks for messages while they come")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str()
      ->type_name("US")
      ->group(group);
  command
      .add_option(
          "--load-traffic", arguments.load_traffic,
          "how load messages are simulated: events, by latency and length alone; flows share links with others, and take far "
          "longer to simulate")
      ->check(CLI::IsMember({"events", "flows"}))
      ->capture_default_str()
      ->type_name("HOW")
      ->group(group);
}

void add_machine_options(CLI::App& command, SimulateArguments& arguments) {
  const std::string group = "The simulated machine";
  command.add_option("--flops", arguments.core.flops_per_second, "flops per second of a core on large fronts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("F")
      ->group(group);
  command.add_option("--half-rate-order", arguments.core.half_rate_order, "order of a front on which it reaches half of that")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->type_name("M")
      ->group(group);
  CLI::Option* latency =
      command.add_option("--latency", arguments.machine.latency_seconds, "seconds that a message takes at least")
          ->check(CLI::NonNegativeNumber)
          ->capture_default_str()
          ->type_name("S")
          ->group(group);
  CLI::Option* bandwidth =
      command.add_option("--bandwidth", arguments.machine.bytes_per_second, "bytes per second of a host's link, in each direction")
          ->check(CLI::PositiveNumber)
          ->capture_default_str()
          ->type_name("B")
          ->group(group);
  CLI::Option* hosts =
      command.add_option("--hosts", arguments.machine.num_hosts, "hosts on the switch, which processes share; 0: one for each")
          ->check(CLI::Range(0, 1 << 16))
          ->capture_default_str()
          ->type_name("N")
          ->group(group);
  CLI::Option* cores = command.add_option("--cores", arguments.machine.cores_per_host, "cores of each host")
                           ->check(CLI::Range(1, 1 << 16))
                           ->capture_default_str()
                           ->type_name("N")
                           ->group(group);
  command
      .add_option("--platform", arguments.machine.platform_file,
                  "hosts and links from a platform file of SimGrid's; processes fill cores host by host")
      ->type_name("FILE.xml")
      ->excludes(latency)
      ->excludes(bandwidth)
      ->excludes(hosts)
      ->excludes(cores)
      ->group(group);
  command
      .add_option("--slow", arguments.slowed, "a process that takes so many times as long to compute, such as 3:4; may be repeated")
      ->allow_extra_args(false)
      ->type_name("RANK:FACTOR")
      ->group(group);
}

void add_sweep_options(CLI::App& command, SimulateArguments& arguments) {
  const std::string group = "Many simulations";
  CLI::Option* sweep =
      command
          .add_flag(
              "--sweep", arguments.sweeps,
              "simulate all combinations: --ranks, --load-exchange, --schedule and --load-thread take lists with commas, and mean "
              "everything (ranks: 8,16,32,64,128; thread: on) when they are not given")
          ->group(group);
  command.add_option("--table", arguments.table, "write the table, with tabs between columns")
      ->needs(sweep)
      ->type_name("FILE")
      ->group(group);
  command.add_option("--jobs", arguments.num_jobs, "simulations at a time; 0: one for each core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str()
      ->type_name("N")
      ->group(group);
  command.add_option("--html", arguments.html, "write a page with charts, the timeline of the fastest run, and its tree")
      ->type_name("FILE");
}

}  // namespace

void add_simulation_command(CLI::App& program, const Launch& launch, ExitCode& result) {
  CLI::App* command =
      program.add_subcommand("simulate", "Predict a factorization over many processes, by the scheduler that ships");
  command->footer(
      "The tasks, messages and decisions are those of mpiexec.mpich -n P frond solve; fronts have sizes but no entries, pivots "
      "are\n"
      "never delayed, and time is virtual. docs/simulation.md tells what is modelled and how.\n\n"
      "Examples:\n  frond simulate A.mtx --ranks 64 --load-exchange snapshot --schedule memory\n"
      "  frond simulate A.mtx --ranks 512 --flops 5e9 --latency 5e-6 --bandwidth 1e9 --json run.json\n"
      "  frond simulate A.mtx --sweep --ranks 16,64,256 --schedule memory --html report.html");
  const auto arguments = std::make_shared<SimulateArguments>();
  add_system_options(*command, arguments->system);
  command->add_option("--ranks", arguments->num_ranks, "processes to simulate")
      ->check(CLI::Range(1, 1 << 16))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("16")
      ->type_name("P");
  command
      ->add_option("--memory-limit", arguments->memory_limit, "most memory for factors and fronts, such as 1.5GB, of each process")
      ->type_name("SIZE");
  add_sweep_options(*command, *arguments);
  add_load_options(*command, *arguments);
  add_machine_options(*command, *arguments);
  command->callback([arguments, &launch, &result] {
    require_one_process(launch, "simulate");
    result = run_simulate(*arguments);
  });
}

}  // namespace frond
