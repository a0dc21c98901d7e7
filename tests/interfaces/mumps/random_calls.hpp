// SPDX-License-Identifier: BSD-3-Clause
// Makes random sequences of calls that the users' guide of MUMPS allows.
#pragma once

#include <cstdint>
#include <string>

namespace frond::testing {

/// Makes the calls of this seed by the function `dmumps_c`, a few matrices with a few calls each. Returns a line for each call:
/// JOB, what was asked, INFOG(1), and what is determined: inertia, deficiency, determinant. A solution that is wrong is named in
/// it.
[[nodiscard]] std::string run_random_mumps_calls(void* function, std::uint64_t seed);

}  // namespace frond::testing
