// SPDX-License-Identifier: BSD-3-Clause
// Places values along the axis of a chart, and chooses its ticks.
#pragma once

#include <span>
#include <vector>

namespace frond {

enum class AxisScale { linear, logarithmic };

/// Maps `least` to `begin` and `largest` to `end`, in pixels; `begin` may exceed `end`, as on vertical axes. A logarithmic axis
/// needs 0 < least < largest; smaller values, such as zeros, are placed at its begin.
struct ChartAxis {
  AxisScale scale = AxisScale::linear;
  double least = 0;
  double largest = 1;
  double begin = 0;
  double end = 1;
  std::vector<double> ticks;

  [[nodiscard]] double at(double value) const;
};

/// 0, step, 2 step ... up to `largest`, at most `most` of them; the step is 1, 2 or 5 times a power of ten.
[[nodiscard]] std::vector<double> linear_ticks(double largest, int most);

/// Returns round values between two positive ones: powers of ten, every second or third one if there are many, and round values in
/// between if there are few.
[[nodiscard]] std::vector<double> logarithmic_ticks(double least, double largest);

/// Returns the axis from 0 to `largest`.
[[nodiscard]] ChartAxis linear_axis(double largest, int most_ticks, double begin, double end);

/// Returns an axis with room for all these values, none of which may be negative. Zeros have a tick of their own below the least
/// positive value.
[[nodiscard]] ChartAxis logarithmic_axis(std::span<const double> values, double begin, double end);

/// Returns a linear axis, or a logarithmic one if the largest value is several times the least.
[[nodiscard]] ChartAxis suitable_axis(std::span<const double> values, double begin, double end);

}  // namespace frond
