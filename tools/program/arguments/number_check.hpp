// SPDX-License-Identifier: BSD-3-Clause
// Range checks of numbers on the command line, for CLI::Option::check(); NaN and infinity are rejected.
#pragma once

#include "frond/types.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class Validator;
}

namespace frond {

[[nodiscard]] CLI::Validator number_at_least_0();
[[nodiscard]] CLI::Validator number_above_0();
/// Both ends are included.
[[nodiscard]] CLI::Validator number_between(double least, double largest);
[[nodiscard]] CLI::Validator integer_between(Count least, Count largest);

}  // namespace frond
