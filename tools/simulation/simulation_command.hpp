// SPDX-License-Identifier: BSD-3-Clause
// The subcommand of the simulator.
#pragma once

#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

namespace frond {

/// Like the commands of tools/program/commands/commands.hpp.
void add_simulation_command(CLI::App& program, const Launch& launch, ExitCode& result);

}  // namespace frond
