// SPDX-License-Identifier: BSD-3-Clause
// Random sequences of calls, sensible and senseless ones.
#pragma once

#include <cstdint>
#include <string>

namespace frond::testing {

/// Makes one or two solvers and some twenty calls with them, of which about a third cannot be meant. Returns what was wrong, or
/// nothing: an error without a text, an internal error, a solution that is none.
[[nodiscard]] std::string run_random_calls(std::uint64_t seed);

}  // namespace frond::testing
