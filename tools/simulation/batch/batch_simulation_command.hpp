// SPDX-License-Identifier: BSD-3-Clause
// Defines the command frond simulate-batch.
#pragma once

#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

namespace frond {

/// Adds the subcommand; if it is the one on the command line, it runs while the line is parsed and stores its exit code in
/// `result`, which must live until then, as must `launch`.
void add_batch_simulation_command(CLI::App& program, const Launch& launch, ExitCode& result);

}  // namespace frond
