// SPDX-License-Identifier: BSD-3-Clause
// frond simulate: hands over to the simulator.
#include <CLI/CLI.hpp>

#include "tools/commands/commands.hpp"
#include "tools/process/simulator_program.hpp"

namespace frond {

void add_simulate_command(CLI::App& program, const Launch& launch) {
  CLI::App* command =
      program.add_subcommand("simulate", "Predict a factorization over many processes, by the scheduler that ships");
  command->set_help_flag();  // the simulator helps
  command->set_help_all_flag();
  command->prefix_command();
  command->callback([command, &launch] {
    require_one_process(launch, "simulate");
    become_simulator(command->remaining());
  });
}

}  // namespace frond
