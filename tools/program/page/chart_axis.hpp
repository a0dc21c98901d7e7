// SPDX-License-Identifier: BSD-3-Clause
// Where values stand along the axis of a chart, and at which of them it has ticks.
#pragma once

#include <span>
#include <vector>

namespace frond {

enum class AxisScale { linear, logarithmic };

/// From `least` at `begin` to `largest` at `end`, in pixels; `begin` may be behind `end`, as on vertical axes. A logarithmic axis
/// needs 0 < least < largest; what lies below it, zeros for example, stands at its begin.
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

/// Round values between two that are positive: powers of ten, every second or third one where there are many, and round values in
/// between where there are few.
[[nodiscard]] std::vector<double> logarithmic_ticks(double least, double largest);

/// The axis from 0 to `largest`.
[[nodiscard]] ChartAxis linear_axis(double largest, int most_ticks, double begin, double end);

/// An axis with room for all these values, none negative. Zeros have a tick of their own below the least positive value.
[[nodiscard]] ChartAxis logarithmic_axis(std::span<const double> values, double begin, double end);

/// A linear axis, or a logarithmic one where the largest value is several times the least.
[[nodiscard]] ChartAxis suitable_axis(std::span<const double> values, double begin, double end);

}  // namespace frond
