// SPDX-License-Identifier: BSD-3-Clause
// Interpolates between measured rates.
#include "tools/program/calibration/rate_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

bool is_positive(double value) { return value > 0 && std::isfinite(value); }

}  // namespace

RateTable::RateTable(std::vector<Point> points) : points_(std::move(points)) {
  if (points_.empty()) {
    throw UsageError("a table of rates without a rate");
  }
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (!is_positive(points_[k].size) || !is_positive(points_[k].rate)) {
      throw UsageError("sizes and rates must be positive numbers");
    }
    if (k > 0 && points_[k].size <= points_[k - 1].size) {
      throw UsageError("sizes must increase");
    }
  }
}

double RateTable::rate(double size) const {
  const auto next = std::upper_bound(points_.begin(), points_.end(), size, [](double a, const Point& b) { return a < b.size; });
  if (next == points_.begin()) {
    return points_.front().rate;
  }
  const Point& low = *std::prev(next);
  if (next == points_.end()) {
    return low.rate;
  }
  const double part = std::log(size / low.size) / std::log(next->size / low.size);
  return low.rate * std::pow(next->rate / low.rate, part);
}

double RateTable::largest_rate() const {
  return std::max_element(points_.begin(), points_.end(), [](const Point& a, const Point& b) { return a.rate < b.rate; })->rate;
}

RateTable RateTable::times(double factor) const {
  std::vector<Point> points = points_;
  for (Point& point : points) {
    point.rate *= factor;
  }
  return RateTable(std::move(points));
}

}  // namespace frond
