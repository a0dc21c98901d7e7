// SPDX-License-Identifier: BSD-3-Clause
// Starts the frond program.
#include <csignal>
#include <cstdlib>

#include "tools/program/commands/commands.hpp"
#include "tools/program/program.hpp"

namespace {

void add_commands(CLI::App& program, const frond::Launch& launch, frond::ExitCode& result, frond::Farewell& farewell) {
  frond::add_solve_command(program, launch, result, farewell);
  frond::add_batch_command(program, launch, result, farewell);
  frond::add_analyze_command(program, launch, result);
  frond::add_checkpoint_commands(program, launch, result);
  frond::add_simulate_commands(program, launch);
  frond::add_generate_command(program, launch, result);
  frond::add_check_labels_command(program, launch, result);
  frond::add_bench_command(program, launch, result);
  frond::add_machine_command(program, launch, result);
  frond::add_calibrate_command(program, launch, result, farewell);
  frond::add_run_with_command(program, launch, result);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding a file size limit becomes an ordinary write error
  const int code = frond::run_program(argc, argv, add_commands);
  if (code == static_cast<int>(frond::ExitCode::out_of_memory)) {
    // OpenBLAS starts threads before main() and waits for them at exit: under a limit of address space they may try forever to map
    // memory that they never get.
    std::_Exit(code);
  }
  return code;
}
