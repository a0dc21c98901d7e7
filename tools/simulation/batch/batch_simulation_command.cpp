// SPDX-License-Identifier: BSD-3-Clause
// Adds the options of frond simulate-batch, and runs it.

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/arguments/shared_arguments.hpp"
#include "tools/program/process/atomic_output.hpp"
#include "tools/simulation/batch/batch_simulation_record.hpp"
#include "tools/simulation/machine_arguments.hpp"
#include "tools/simulation/simulation_commands.hpp"

namespace frond {
namespace {

struct BatchSimulationArguments {
  Count num_systems = 0;
  std::string seconds = "1";  ///< MEAN[:DEVIATION]
  std::uint64_t seed = 1;
  Rank num_ranks = 16;
  DealingArguments dealing;
  MachineArguments machine;
  std::vector<std::string> losses;
  std::string json;
};

void add_options(CLI::App& command, BatchSimulationArguments& arguments) {
  const CommandOptions options(command);
  const CommandOptions machine(command, "The simulated machine");
  options.add("systems N", arguments.num_systems, "Deal out N systems")->required()->check(integer_between(0, 100000000));
  options.add("--seconds LAW", arguments.seconds,
              "Let a system take LAW seconds: MEAN, the same for all, or MEAN:DEVIATION, drawn from a lognormal distribution "
              "with this mean and standard deviation, such as 0.05:0.2 (default: 1)");
  options.add("--seed SEED", arguments.seed, "Draw them from SEED (an integer of at least 0; default: 1)");
  options.add("--ranks P", arguments.num_ranks, "Simulate P processes with a worker each (1 to 65536; default: 16)")
      ->check(integer_between(1, 1 << 16));
  add_chunks_option(options, arguments.dealing);
  add_reissue_option(CommandOptions(command, ""), arguments.dealing);
  options.add_path(
      "--json FILE", arguments.json,
      "Write all figures to FILE; '-' stands for standard output, and the summary then goes to standard error (default: "
      "none)");
  add_machine_options(machine, arguments.machine);
  machine.add_repeated(
      "--lose RANK@SECONDS", arguments.losses,
      "Let process RANK die after SECONDS, and nobody notice, such as 3@1.5; not process 0, which deals out; may be "
      "repeated (default: none)");
  add_network_options(machine, arguments.machine);
}

std::vector<double> seconds_of_systems(const BatchSimulationArguments& arguments) {
  double mean = 0;
  double deviation = 0;
  char rest = 0;
  const int num_read = std::sscanf(arguments.seconds.c_str(), "%lf:%lf%c", &mean, &deviation, &rest);
  const bool is_complete = num_read == 2 || (num_read == 1 && arguments.seconds.find(':') == std::string::npos &&
                                             std::sscanf(arguments.seconds.c_str(), "%lf%c", &mean, &rest) == 1);
  if (!is_complete || !(mean > 0) || !(deviation >= 0) || std::isinf(mean) || std::isinf(deviation)) {
    throw UsageError("--seconds " + arguments.seconds + ": MEAN, above 0, or MEAN:DEVIATION is expected, such as 0.05 or 0.05:0.2");
  }
  return draw_seconds(arguments.num_systems, mean, deviation, arguments.seed);
}

ExitCode run_batch_simulation(const BatchSimulationArguments& arguments) {
  check_file_arguments({{"--platform", arguments.machine.platform_file}},
                       {{"--json", arguments.json == "-" ? std::string() : arguments.json}});
  check_machine(arguments.machine, {arguments.num_ranks});
  check_losses(arguments.losses, {arguments.num_ranks});
  SimulatedBatch batch;
  batch.seconds = seconds_of_systems(arguments);
  batch.num_ranks = arguments.num_ranks;
  batch.chunks = parse_chunk_kind(arguments.dealing.chunks);
  batch.reissues = arguments.dealing.reissue == "on";
  batch.losses = parse_moments("--lose", arguments.losses);
  for (const auto& [seconds, rank] : batch.losses) {
    if (rank == 0) {
      throw UsageError(
          "--lose 0: process 0 deals out; without it a batch ends, or with --survive begins anew where its results end");
    }
  }
  set_machine(arguments.machine, batch.machine);
  const SimulatedBatchResult result = simulate_batch(batch);
  print_batch_simulation(arguments.json == "-" ? stderr : stdout, result, batch);
  write_text_if_asked(arguments.json, [&] { return batch_simulation_json(result, batch).dump(2) + "\n"; });
  return ExitCode::success;
}

}  // namespace

void add_batch_simulation_command(CLI::App& program, const Launch& launch, ExitCode& result) {
  CLI::App* command =
      program.add_subcommand("simulate-batch", "Predict a batch of systems over many processes, dealt out as frond batch does");
  command->footer(
      "Each system takes its seconds on one process, whatever it is; reading, and the analysis that systems share, are not\n"
      "simulated. docs/simulate-batch.md has the rest.\n\n"
      "Examples:\n"
      "  frond simulate-batch 20000 --seconds 0.05 --ranks 256\n"
      "  frond simulate-batch 20000 --seconds 0.05:0.2 --ranks 256 --chunks fac --slow 3:4 --lose 7@1 --json run.json");
  const auto arguments = std::make_shared<BatchSimulationArguments>();
  add_options(*command, *arguments);
  run_alone(*command, arguments, run_batch_simulation, launch, result);
}

}  // namespace frond
