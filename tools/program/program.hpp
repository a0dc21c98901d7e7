// SPDX-License-Identifier: BSD-3-Clause
// Runs the whole command line.
#pragma once

#include <functional>

#include "tools/program/arguments/command_line.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"

namespace frond {

/// Adds the subcommands of a program.
using AddCommands = std::function<void(CLI::App& program, const Launch& launch, ExitCode& result, Farewell& farewell)>;

/// Runs the frond program, or a part of it. Errors become one line on standard error and an exit code, see ExitCode.
[[nodiscard]] int run_program(int argc, char** argv, const AddCommands& add_commands);

}  // namespace frond
