// SPDX-License-Identifier: BSD-3-Clause
// Shows how far each configuration is from the best one.
#pragma once

#include <string>

#include "tools/simulation/page/sweep_comparison.hpp"

namespace frond {

/// Returns a table of the runs of one chart: a row for each mechanism, a column for each number of ranks, with the figure divided
/// by the least of all runs on as many ranks; larger values are tinted more.
[[nodiscard]] std::string comparison_table(const Sweep& sweep, const SweepAxes& axes, const ChartSetting& chart, RunFigure figure);

}  // namespace frond
