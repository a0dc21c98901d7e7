// SPDX-License-Identifier: BSD-3-Clause
// Range checks of numbers on the command line, for CLI::Option::check(); NaN and infinity are rejected.
#pragma once

#include "frond/types.hpp"
#include "tools/program/arguments/command_line.hpp"

namespace frond {

[[nodiscard]] CLI::Validator number_at_least_0();
[[nodiscard]] CLI::Validator number_above_0();
/// Both ends are included.
[[nodiscard]] CLI::Validator integer_between(Count least, Count largest);

}  // namespace frond
