// SPDX-License-Identifier: BSD-3-Clause
// Computes scales and round values.
#include "tools/program/page/chart_axis.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

constexpr double kRoundingRoom = 1e-9;  // keeps the last tick if it equals the end of the axis up to rounding

// Returns the factors times all powers of ten between `least` and `largest`.
std::vector<double> multiples_of_powers(const std::vector<double>& factors, int powers_apart, double least, double largest) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(least)));
  for (int power = first; std::pow(10.0, power) <= largest * (1 + kRoundingRoom); ++power) {
    for (const double factor : factors) {
      const double tick = factor * std::pow(10.0, power);
      if (power % powers_apart == 0 && tick >= least * (1 - kRoundingRoom) && tick <= largest * (1 + kRoundingRoom)) {
        ticks.push_back(tick);
      }
    }
  }
  return ticks;
}

}  // namespace

double ChartAxis::at(double value) const {
  const double fraction = scale == AxisScale::linear ? (value - least) / (largest - least)
                                                     : std::log(std::max(value, least) / least) / std::log(largest / least);
  return begin + fraction * (end - begin);
}

std::vector<double> linear_ticks(double largest, int most) {
  if (!(largest > 0)) {
    return {0};
  }
  const double finest = largest / std::max(most - 1, 1);
  double step = std::pow(10.0, std::floor(std::log10(finest)));
  for (const double factor : {2.0, 2.5, 2.0}) {  // 1, 2, 5, 10
    step *= step < finest * (1 - kRoundingRoom) ? factor : 1;
  }
  std::vector<double> ticks;
  for (int k = 0; k * step <= largest * (1 + kRoundingRoom); ++k) {
    ticks.push_back(k * step);
  }
  return ticks;
}

std::vector<double> logarithmic_ticks(double least, double largest) {
  constexpr std::size_t kFewest = 3;
  const int decades = static_cast<int>(std::log10(largest / least));
  std::vector<double> ticks = multiples_of_powers({1}, 1 + decades / 7, least, largest);
  for (const std::vector<double>& factors : {std::vector<double>{1, 2, 5}, {1, 1.5, 2, 3, 5, 7}}) {
    if (ticks.size() < kFewest) {
      ticks = multiples_of_powers(factors, 1, least, largest);
    }
  }
  return ticks;
}

ChartAxis linear_axis(double largest, int most_ticks, double begin, double end) {
  const double top = largest > 0 ? largest : 1;
  return {AxisScale::linear, 0, top, begin, end, linear_ticks(top, most_ticks)};
}

ChartAxis logarithmic_axis(std::span<const double> values, double begin, double end) {
  constexpr double kLeastRatio = 10;   // a shorter axis would exaggerate small differences
  constexpr double kLeastRoom = 1.25;  // beyond the outermost values
  constexpr double kRoomShare = 0.08;  // of the axis, room for the value written at a point
  double least = 0;
  double largest = 0;
  for (const double value : values) {
    least = value > 0 && (least == 0 || value < least) ? value : least;
    largest = std::max(largest, value);
  }
  if (largest == 0) {
    return linear_axis(0, 2, begin, end);
  }
  const double ratio = std::max(kLeastRatio, largest / least);
  const double widening = std::sqrt(ratio / (largest / least)) * std::max(kLeastRoom, std::pow(ratio, kRoomShare));
  ChartAxis axis{AxisScale::logarithmic, least / widening, largest * widening, begin, end, {}};
  axis.ticks = logarithmic_ticks(axis.least, axis.largest);
  if (std::count(values.begin(), values.end(), 0.0) > 0) {
    constexpr double kZeroShare = 0.1;  // of the axis, so that 0 stands apart from the lowest tick
    axis.least /= std::pow(axis.largest / axis.least, kZeroShare);
    axis.ticks.insert(axis.ticks.begin(), 0);
  }
  return axis;
}

ChartAxis suitable_axis(std::span<const double> values, double begin, double end) {
  constexpr double kManyTimes = 4;
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  if (values.empty() || *least <= 0 || *largest < kManyTimes * *least) {
    constexpr double kRoom = 1.12;
    return linear_axis(values.empty() ? 0 : kRoom * *largest, 6, begin, end);
  }
  return logarithmic_axis(values, begin, end);
}

}  // namespace frond
