// SPDX-License-Identifier: BSD-3-Clause
// How far each configuration is from the best one.
#pragma once

#include <string>

#include "tools/simulation/page/sweep_comparison.hpp"

namespace frond {

/// Of the runs of one chart: a row for each mechanism, a column for each number of ranks, with the figure over the least of all
/// runs on as many ranks; the larger, the more tinted.
[[nodiscard]] std::string comparison_table(const Sweep& sweep, const SweepAxes& axes, const ChartSetting& chart, RunFigure figure);

}  // namespace frond
