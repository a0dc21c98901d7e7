// SPDX-License-Identifier: BSD-3-Clause
// Keeps sums in which old measurements fade.
#include "factorization/ranks/pace_meter.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

constexpr double kWindow = 0.25;  // of all that was measured

}  // namespace

std::uint8_t pace_kind(const FrontCost& cost) {
  const double quarters = cost.flops > cost.entries ? 4 * std::log2(cost.flops / std::max(cost.entries, 1.0)) : 0;
  return static_cast<std::uint8_t>(std::clamp(quarters, 0.0, kNumPaceKinds - 1.0));
}

void PaceMeter::note(const FrontCost& cost, double seconds) {
  last_ = pace_kind(cost);
  Mean& mean = means_.at(last_);
  mean.all_seconds += seconds;
  const double kept = mean.all_seconds > 0 ? std::exp(-seconds / (kWindow * mean.all_seconds)) : 1;
  mean.seconds = mean.seconds * kept + seconds;
  mean.expected = mean.expected * kept + front_seconds(cost);
}

Pace PaceMeter::last() const {
  const Mean& mean = means_.at(last_);
  return {last_, mean.expected > 0 ? std::max<Count>(1, std::llround(1000 * mean.seconds / mean.expected)) : 0};
}

}  // namespace frond
