// SPDX-License-Identifier: BSD-3-Clause
// Shows all runs of a sweep with all their figures, and how far each configuration is from the best one.
#pragma once

#include <string>

#include "tools/simulation/page/sweep_comparison.hpp"

namespace frond {

/// Returns a row for each run; a click on the head of a column sorts by it (page_script). The best times and memories of each
/// number of ranks are highlighted. There must be runs.
[[nodiscard]] std::string run_table(const Sweep& sweep);

/// Returns a row for each failed run, with its error; empty if there is none.
[[nodiscard]] std::string failed_run_table(const Sweep& sweep);

/// Returns a table of the runs of one chart: a row for each mechanism, a column for each number of ranks, with the figure divided
/// by the least of all runs on as many ranks; larger values are tinted more.
[[nodiscard]] std::string comparison_table(const Sweep& sweep, const SweepAxes& axes, const ChartSetting& chart, RunFigure figure);

}  // namespace frond
