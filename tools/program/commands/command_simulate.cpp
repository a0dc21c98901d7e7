// SPDX-License-Identifier: BSD-3-Clause
// Implements frond simulate and frond simulate-batch by replacing the process with the simulator.
#include <CLI/CLI.hpp>

#include "tools/program/commands/commands.hpp"
#include "tools/program/process/other_programs.hpp"

namespace frond {

namespace {

void add_command(CLI::App& program, const Launch& launch, const std::string& name, const std::string& story) {
  CLI::App* command = program.add_subcommand(name, story);
  command->set_help_flag();  // the simulator prints the help
  command->set_help_all_flag();
  command->prefix_command();
  command->callback([command, &launch, name] {
    require_one_process(launch, name);
    become_simulator(name, command->remaining());
  });
}

}  // namespace

void add_simulate_commands(CLI::App& program, const Launch& launch) {
  add_command(program, launch, "simulate", "Predict a factorization over many processes, by the scheduler that ships");
  add_command(program, launch, "simulate-batch", "Predict a batch of systems over many processes, dealt out as frond batch does");
}

}  // namespace frond
