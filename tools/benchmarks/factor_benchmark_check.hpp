// SPDX-License-Identifier: BSD-3-Clause
// No time counts without the right answer.
#pragma once

#include "tools/benchmarks/factor_benchmark_solvers.hpp"

namespace frond {

/// The normwise backward error of a solution with the last factorization, without refinement; throws Error when it is above 1e-10.
[[nodiscard]] double checked_backward_error(const Problem& problem, Contender& contender);

}  // namespace frond
