// SPDX-License-Identifier: BSD-3-Clause
// Runs one of the processes of frond solve --survive and frond batch --processes: a separate program, so that frond itself does not
// need ZeroMQ.
#include <cstdio>

#include "tools/program/batch/batch_processes.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/program.hpp"
#include "tools/program/solve/survivor_attempt.hpp"

int main(int argc, char** argv) {
  using namespace frond;
  return run_program(argc, argv, [](CLI::App& program, const Launch& launch, ExitCode& result, Farewell& farewell) {
    add_solve_command(program, launch, result, farewell, [&farewell](const SolveArguments& arguments) {
      return run_survivor(arguments, own_survivor_place(), farewell);
    });
    add_batch_command(program, launch, result, farewell, [&farewell](const BatchArguments& arguments) {
      return run_batch_survivor(arguments, own_survivor_place(), farewell);
    });
  });
}
