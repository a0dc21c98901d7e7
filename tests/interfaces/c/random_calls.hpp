// SPDX-License-Identifier: BSD-3-Clause
// Makes random sequences of valid and invalid calls.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frond.h"

namespace frond::testing {

/// Makes one or two solvers and about twenty calls with them, of which about a third are invalid. Returns what went wrong, or an
/// empty string: an error without a message, an internal error, or a wrong solution.
[[nodiscard]] std::string run_random_calls(std::uint64_t seed);

/// Makes the same calls on each of several processes, with a solver created by make(scalar, &solver). A second seed, which may
/// differ between processes, draws the contents of arrays. Adds all statuses to `statuses`.
[[nodiscard]] std::string run_random_calls(std::uint64_t seed, std::uint64_t seed_of_arrays,
                                           const std::function<frond_status(int scalar, frond_solver** solver)>& make,
                                           std::vector<frond_status>& statuses);

}  // namespace frond::testing
