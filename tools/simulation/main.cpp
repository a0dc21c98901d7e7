// SPDX-License-Identifier: BSD-3-Clause
// Starts the simulator: a separate program, since SimGrid defines functions with MPI's names and takes a while to load.
#include "tools/program/program.hpp"
#include "tools/simulation/simulation_commands.hpp"

int main(int argc, char** argv) {
  return frond::run_program(argc, argv,
                            [](CLI::App& program, const frond::Launch& launch, frond::ExitCode& result, frond::Farewell&) {
                              frond::add_simulation_command(program, launch, result);
                              frond::add_batch_simulation_command(program, launch, result);
                            });
}
