// SPDX-License-Identifier: BSD-3-Clause
// The simulator, a program that stands beside frond.
#pragma once

#include <string>
#include <vector>

namespace frond {

/// This process becomes `frond simulate` with these arguments. Throws UsageError where the simulator was not built, and
/// std::system_error if it cannot be run.
[[noreturn]] void become_simulator(std::vector<std::string> arguments);

}  // namespace frond
