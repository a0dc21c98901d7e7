// SPDX-License-Identifier: BSD-3-Clause
// Draws curves over numbers of ranks.
#pragma once

#include <string>
#include <vector>

#include "tools/program/page/chart_axis.hpp"

namespace frond {

struct ChartPoint {
  double num_ranks = 0;
  double value = 0;
  std::string text;  ///< the value for people, without unit
};

/// Points by increasing number of ranks. Lines and marks differ by `style` in colour, dashes and shape.
struct ChartCurve {
  std::string label;
  std::size_t style = 0;
  std::vector<ChartPoint> points;
};

struct LineChart {
  std::string unit;               ///< of the values
  std::vector<double> num_ranks;  ///< all that occur, increasing: ticks of the horizontal axis; not empty
  std::vector<ChartCurve> curves;
  ChartPoint guide;  ///< from here a line falls as the number of ranks rises; none if at 0 ranks
};

/// The ends of the vertical axis of every line chart, for making axes that charts share.
inline constexpr double kLineChartBottom = 258;
inline constexpr double kLineChartTop = 30;

/// A curve is broken at a number of ranks that only others have. With a single number of ranks the points of the curves stand next
/// to one another, with their values.
[[nodiscard]] std::string line_chart(const LineChart& chart, const ChartAxis& value_axis);

/// Returns a line with its mark for each label, and one for the guide if there is one; labels[k] has style k.
[[nodiscard]] std::string line_chart_legend(const std::vector<std::string>& labels, bool has_guide);

/// Returns the mark of this style, for use in a line of text.
[[nodiscard]] std::string curve_mark(std::size_t style);

}  // namespace frond
