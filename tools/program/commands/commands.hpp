// SPDX-License-Identifier: BSD-3-Clause
// Defines the subcommands of the frond program.
#pragma once

#include <functional>

#include "tools/program/arguments/command_line.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"

namespace frond {

struct BatchArguments;
struct SolveArguments;

// Each function adds its subcommand to `program`; if that is the one on the command line, it runs while the line is parsed and
// stores its exit code in `result`, which must live until then, as must `launch` and `farewell`.
void add_analyze_command(CLI::App& program, const Launch& launch, ExitCode& result);
/// `run_survivor` runs the batch if another process has started this one; empty otherwise.
void add_batch_command(CLI::App& program, const Launch& launch, ExitCode& result, Farewell& farewell,
                       const std::function<ExitCode(const BatchArguments&)>& run_survivor = {});
void add_bench_command(CLI::App& program, const Launch& launch, ExitCode& result);
void add_calibrate_command(CLI::App& program, const Launch& launch, ExitCode& result, Farewell& farewell);
void add_check_labels_command(CLI::App& program, const Launch& launch, ExitCode& result);
void add_checkpoint_commands(CLI::App& program, const Launch& launch, ExitCode& result);
void add_generate_command(CLI::App& program, const Launch& launch, ExitCode& result);
void add_machine_command(CLI::App& program, const Launch& launch, ExitCode& result);
void add_run_with_command(CLI::App& program, const Launch& launch, ExitCode& result);
void add_simulate_commands(CLI::App& program, const Launch& launch);
/// `run_survivor` solves if this is one of the processes of --survive; empty otherwise.
void add_solve_command(CLI::App& program, const Launch& launch, ExitCode& result, Farewell& farewell,
                       const std::function<ExitCode(const SolveArguments&)>& run_survivor = {});

}  // namespace frond
