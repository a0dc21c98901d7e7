// SPDX-License-Identifier: BSD-3-Clause
// Interpolates a measured rate by size.
#pragma once

#include <vector>

namespace frond {

/// A rate measured at several sizes. Between them, its logarithm is linear in that of the size; smaller and larger sizes have the
/// rate of the nearest measured one.
///
///   (8, 1e8), (32, 4e8)   =>   1e8 at 4, 2e8 at 16, 4e8 at 1000
class RateTable {
 public:
  struct Point {
    double size = 0;
    double rate = 0;  ///< of something per second
  };

  /// Sizes increase; sizes and rates are positive and finite. Throws UsageError.
  explicit RateTable(std::vector<Point> points);

  [[nodiscard]] double rate(double size) const;
  [[nodiscard]] double largest_rate() const;
  [[nodiscard]] RateTable times(double factor) const;  ///< all rates multiplied by `factor`
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }

 private:
  std::vector<Point> points_;
};

}  // namespace frond
