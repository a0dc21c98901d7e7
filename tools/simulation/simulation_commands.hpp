// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of the simulator.
#pragma once

#include "tools/program/arguments/command_line.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"

namespace frond {

// Like the functions of tools/program/commands/commands.hpp.
void add_simulation_command(CLI::App& program, const Launch& launch, ExitCode& result);
void add_batch_simulation_command(CLI::App& program, const Launch& launch, ExitCode& result);

}  // namespace frond
