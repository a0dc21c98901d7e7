// SPDX-License-Identifier: BSD-3-Clause
// Asks the environment how much is to be tested.
#pragma once

#include <cstdlib>

namespace frond::testing {

/// Whether all seeds and sizes are to be tested, not only as many as there is time for before every change.
[[nodiscard]] inline bool is_all_tested() { return std::getenv("FROND_ALL_TESTS") != nullptr; }

}  // namespace frond::testing
