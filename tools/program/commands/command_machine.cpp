// SPDX-License-Identifier: BSD-3-Clause
// Implements frond machine, which measures the best speeds of this machine.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/bench/machine_speed.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/program/process/standard_error.hpp"

namespace frond {
namespace {

struct MachineArguments {
  int num_threads = 1;
  bool json = false;
};

ExitCode run_machine(const MachineArguments& arguments) {
  warn_of_blas(0);
  const MachineSpeed speed = measure_machine(arguments.num_threads);
  if (arguments.json) {
    fmt::print("{}\n", to_json(speed).dump());
  } else {
    fmt::print("threads {}: dense products {:.1f} GFlop/s, memory {:.1f} GB/s ({})\n", speed.num_threads, 1e-9 * speed.flop_rate,
               1e-9 * speed.bandwidth, speed.blas);
  }
  return ExitCode::success;
}

}  // namespace

void add_machine_command(CLI::App& program, const Launch& launch, ExitCode& result) {
  CLI::App* command = program.add_subcommand("machine", "Measure dense matrix products and memory bandwidth of this machine");
  command->footer("Example:\n  frond machine --threads 2");
  const auto arguments = std::make_shared<MachineArguments>();
  const CommandOptions options(*command);
  options.add("--threads T", arguments->num_threads, "Use T cores at the same time")
      ->check(integer_between(1, 1024))
      ->capture_default_str();
  options.add_flag("--json", arguments->json, "Print one line for programs");
  run_alone(*command, arguments, run_machine, launch, result);
}

}  // namespace frond
