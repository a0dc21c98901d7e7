// SPDX-License-Identifier: BSD-3-Clause
// The subcommand of the simulator.
#pragma once

#include "tools/exit_code.hpp"
#include "tools/launch.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

namespace frond {

/// As the commands of tools/commands.hpp.
void add_simulation_command(CLI::App& program, const Launch& launch, ExitCode& result);

}  // namespace frond
