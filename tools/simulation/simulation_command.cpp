// SPDX-License-Identifier: BSD-3-Clause
// frond simulate, as its program understands it.
#include "tools/simulation/simulation_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "solver/factorization.hpp"
#include "tools/atomic_output.hpp"
#include "tools/byte_size.hpp"
#include "tools/exchange_arguments.hpp"
#include "tools/mapping_record.hpp"
#include "tools/progress_bar.hpp"
#include "tools/simulation/simulate.hpp"
#include "tools/simulation/simulation_record.hpp"
#include "tools/stopwatch.hpp"
#include "tools/system_arguments.hpp"

namespace frond {
namespace {

struct SimulateArguments {
  SystemArguments system;
  ExchangeArguments exchange;
  Rank num_ranks = 16;
  std::string memory_limit;
  CostArguments costs;
  SimulatedNetwork network;
  const CLI::Option* latency = nullptr;  // whether they were given
  const CLI::Option* bandwidth = nullptr;
};

SimulationOptions simulation_options(const SimulateArguments& arguments) {
  SimulationOptions options;
  options.load_exchange = parse_load_mechanism(arguments.exchange.load_exchange);
  options.schedule = parse_schedule(arguments.exchange.schedule);
  options.use_load_thread = arguments.exchange.load_thread == "on";
  options.load_period_seconds = 1e-6 * arguments.exchange.load_period_us;
  options.memory_limit = arguments.memory_limit.empty() ? 0 : parse_byte_size(arguments.memory_limit);
  options.network = arguments.network;
  return options;
}

std::optional<MachineProfile> read_machine(const SimulateArguments& arguments) {
  return arguments.costs.machine.empty() ? std::nullopt : std::optional(read_machine_profile(arguments.costs.machine));
}

// What the machine's file says of its network, unless the command line says otherwise.
void set_network(const MachineProfile& machine, const SimulateArguments& arguments, SimulatedNetwork& network) {
  if (arguments.latency->empty()) {
    network.latency_seconds = machine.latency_seconds.value_or(network.latency_seconds);
  }
  if (arguments.bandwidth->empty()) {
    network.bytes_per_second = machine.bytes_per_second.value_or(network.bytes_per_second);
  }
}

ExitCode run_simulate(const SimulateArguments& arguments) {
  std::vector<FileArgument> inputs = input_files(arguments.system);
  inputs.push_back({"--machine", arguments.costs.machine});
  check_file_arguments(inputs, output_files(arguments.system));
  SimulationOptions options = simulation_options(arguments);
  const std::optional<MachineProfile> machine = read_machine(arguments);
  if (machine) {
    set_network(*machine, arguments, options.network);
  }
  SolverOptions solver = solver_options(arguments.system);
  solver.analysis.mapping.num_ranks = arguments.num_ranks;
  double read_seconds = 0;
  const AnyMatrix any = read_square_matrix(arguments.system.matrix, read_seconds);
  std::visit(
      [&]<Scalar S>(const SparseMatrix<S>& matrix) {
        std::FILE* stream = summary_stream(arguments.system);
        const Stopwatch analysis_watch;
        const std::shared_ptr<const Symbolic> symbolic = [&] {
          const ProgressBar bar("analyzing", stderr);
          return analyze(matrix, solver);
        }();
        const double analysis_seconds = analysis_watch.seconds();
        const Method method = choose_method<S>(matrix, solver);
        options.costs = cost_model(arguments.costs, machine, method, scalar_name<S>());
        const MappingFacts mapping = mapping_facts(*symbolic, method, sizeof(S), solver.analysis.mapping);
        const Stopwatch watch;
        const SimulationResult result = [&] {
          const ProgressBar bar("simulating", stderr);
          return simulate_factorization(*symbolic, method, sizeof(S), sizeof(RealOf<S>),
                                        map_tree(symbolic->tree(), method, solver.analysis.mapping), options);
        }();
        print_mapping(stream, mapping);
        print_simulation(stream, result, options, sizeof(S));
        std::fprintf(stream, "seconds        read %.3f, analyze %.3f, simulate %.3f\n", read_seconds, analysis_seconds,
                     watch.seconds());
        if (!arguments.system.json.empty()) {
          nlohmann::ordered_json json = {{"matrix", arguments.system.matrix}, {"method", to_string(method)}};
          json.update(mapping_json(mapping));
          json.update(simulation_json(result, options, sizeof(S)));
          write_text(arguments.system.json, json.dump(2) + "\n");
        }
      },
      any);
  return ExitCode::success;
}

void add_machine_options(CLI::App& command, SimulateArguments& arguments) {
  const std::string group = "The simulated machine: one core a process, each on a link of its own to one switch";
  command
      .add_option("--machine", arguments.costs.machine,
                  "rates of a machine as frond calibrate measured them, and its network unless the options below say otherwise")
      ->check(refuse_empty_name)
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--flops", arguments.costs.flops_per_second,
                  "flops per second of a core on large fronts; without it 5e9, or what the machine's file says. With that file all "
                  "rates of elimination are scaled, so that the largest is F")
      ->check(CLI::PositiveNumber)
      ->type_name("F")
      ->group(group);
  command
      .add_option("--half-rate-order", arguments.costs.half_rate_order,
                  "without a machine's file, the order of a front on which it reaches half of that; without this option 60")
      ->check(CLI::NonNegativeNumber)
      ->type_name("M")
      ->group(group);
  arguments.latency = command.add_option("--latency", arguments.network.latency_seconds, "seconds that a message takes at least")
                          ->check(CLI::NonNegativeNumber)
                          ->capture_default_str()
                          ->type_name("S")
                          ->group(group);
  arguments.bandwidth =
      command.add_option("--bandwidth", arguments.network.bytes_per_second, "bytes per second of a link, in each direction")
          ->check(CLI::PositiveNumber)
          ->capture_default_str()
          ->type_name("B")
          ->group(group);
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
      "  frond simulate A.mtx --ranks 512 --flops 5e9 --latency 5e-6 --bandwidth 1e9 --json run.json");
  const auto arguments = std::make_shared<SimulateArguments>();
  add_system_options(*command, arguments->system);
  command->add_option("--ranks", arguments->num_ranks, "processes to simulate")
      ->check(CLI::Range(1, 1 << 16))
      ->capture_default_str()
      ->type_name("P");
  command
      ->add_option("--memory-limit", arguments->memory_limit, "most memory for factors and fronts, such as 1.5GB, of each process")
      ->type_name("SIZE");
  add_exchange_options(*command, "How processes know each other's load", arguments->exchange);
  add_machine_options(*command, *arguments);
  command->callback([arguments, &launch, &result] {
    require_one_process(launch, "simulate");
    result = run_simulate(*arguments);
  });
}

}  // namespace frond
