// SPDX-License-Identifier: BSD-3-Clause
// Shows all runs of a sweep with all their figures.
#pragma once

#include <string>

#include "tools/simulation/page/sweep.hpp"

namespace frond {

/// Returns a row for each run; a click on the head of a column sorts by it (page_script). The best times and memories of each
/// number of ranks are highlighted. There must be runs.
[[nodiscard]] std::string run_table(const Sweep& sweep);

/// Returns a row for each failed run, with its error; empty if there is none.
[[nodiscard]] std::string failed_run_table(const Sweep& sweep);

}  // namespace frond
