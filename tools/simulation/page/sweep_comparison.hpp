// SPDX-License-Identifier: BSD-3-Clause
// Finds what the runs of a sweep have in common, how they differ, and which of them are best.
#pragma once

#include <string>
#include <vector>

#include "tools/program/page/human_figures.hpp"
#include "tools/simulation/page/sweep.hpp"

namespace frond {

/// The settings that distinguish charts shown side by side.
struct ChartSetting {
  std::string schedule;
  bool has_load_thread = true;

  friend bool operator==(const ChartSetting&, const ChartSetting&) = default;
};

/// The settings that the runs of a sweep vary, failed ones included, each value once, in the order of the page.
struct SweepAxes {
  std::vector<double> num_ranks;       ///< increasing
  std::vector<std::string> exchanges;  ///< the mechanisms in the order of the command line, then others as they occur
  std::vector<ChartSetting> charts;    ///< by schedule, load thread on before off
  bool varies_schedule = false;
  bool varies_load_thread = false;
};

[[nodiscard]] SweepAxes axes_of(const Sweep& sweep);

/// Returns the first run with the least figure; less is better. There must be runs.
[[nodiscard]] const SweepRun& best_run(const Sweep& sweep, RunFigure figure);

/// "increments, schedule memory, load thread on"
[[nodiscard]] std::string describe(const SweepSetting& setting);

/// Returns "schedule memory, load thread on" without what all runs have in common; empty if nothing is left.
[[nodiscard]] std::string describe(const ChartSetting& setting, const SweepAxes& axes);

/// Describes the best and the worst run by a figure, among those on the largest number of ranks that has several, as markup; empty
/// if no number of ranks has several. `format` writes the figure.
[[nodiscard]] std::string describe_spread(const Sweep& sweep, RunFigure figure, FigureFormat format, const std::string& unit);

}  // namespace frond
