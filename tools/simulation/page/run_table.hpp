// SPDX-License-Identifier: BSD-3-Clause
// All runs of a sweep, figure by figure.
#pragma once

#include <string>

#include "tools/simulation/page/sweep.hpp"

namespace frond {

/// A row for each run; a click on the head of a column sorts by it (page_script). The best times and memories of each number of
/// ranks stand out. There must be runs.
[[nodiscard]] std::string run_table(const Sweep& sweep);

/// A row for each failed run, with its error; empty if there is none.
[[nodiscard]] std::string failed_run_table(const Sweep& sweep);

}  // namespace frond
