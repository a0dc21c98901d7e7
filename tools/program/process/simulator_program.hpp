// SPDX-License-Identifier: BSD-3-Clause
// Runs the simulator, a program installed next to frond.
#pragma once

#include <string>
#include <vector>

namespace frond {

/// Replaces this process by `frond COMMAND` with these arguments, if that is one of the simulator's commands. Throws UsageError if
/// the simulator was not built, and std::system_error if it cannot be run.
[[noreturn]] void become_simulator(const std::string& command, std::vector<std::string> arguments);

}  // namespace frond
