// SPDX-License-Identifier: BSD-3-Clause
// Draws charts as inline SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond {

/// A horizontal bar of consecutive parts.
struct Bar {
  std::string label;
  std::vector<double> parts;  ///< lengths, in the same unit for all bars
  std::string value;          ///< written after the bar
  bool is_emphasized = false;
};

/// Bars below each other, the longest as wide as the chart; the k-th parts of all bars have the class "part<k>".
[[nodiscard]] std::string bar_chart(const std::vector<Bar>& bars);

/// Returns the same as a separate file, with its colours, below a line that explains the k-th parts.
[[nodiscard]] std::string bar_chart_file(const std::vector<Bar>& bars, const std::vector<std::string>& parts);

/// A line that only steps up.
struct StepCurve {
  std::string label;
  std::vector<double> steps;  ///< increasing, at least 1: each raises the line by one `height`
  bool is_emphasized = false;
};

/// Curves over a logarithmic axis from 1 to `largest`, each from 0 to the number of its steps over `num_steps`; with a legend.
[[nodiscard]] std::string step_chart(const std::vector<StepCurve>& curves, std::size_t num_steps, double largest);

}  // namespace frond
