// SPDX-License-Identifier: BSD-3-Clause
// Random sequences of calls, sensible and senseless ones.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frond.h"

namespace frond::testing {

/// Makes one or two solvers and some twenty calls with them, of which about a third cannot be meant. Returns what was wrong, or
/// nothing: an error without a text, an internal error, a solution that is none.
[[nodiscard]] std::string run_random_calls(std::uint64_t seed);

/// The same calls by each of several processes, with a solver that make(scalar, &solver) makes. What an array is passed is drawn by
/// another seed besides, which may differ between processes. Adds all statuses to `statuses`.
[[nodiscard]] std::string run_random_calls(std::uint64_t seed, std::uint64_t seed_of_arrays,
                                           const std::function<frond_status(int scalar, frond_solver** solver)>& make,
                                           std::vector<frond_status>& statuses);

}  // namespace frond::testing
