// SPDX-License-Identifier: BSD-3-Clause
// Sums that forget.
#include "factorization/ranks/pace_meter.hpp"

#include <algorithm>
#include <cmath>

#include "loadinfo/load_message.hpp"

namespace frond {
namespace {

constexpr double kWindow = 0.25;  // of all that was measured

}  // namespace

void PaceMeter::note(double seconds, double expected_seconds) {
  all_seconds_ += seconds;
  const double kept = all_seconds_ > 0 ? std::exp(-seconds / (kWindow * all_seconds_)) : 1;
  seconds_ = seconds_ * kept + seconds;
  expected_ = expected_ * kept + expected_seconds;
}

Count PaceMeter::thousandths() const {
  return expected_ > 0 ? std::max<Count>(1, std::llround(static_cast<double>(kExpectedPace) * seconds_ / expected_))
                       : kExpectedPace;
}

}  // namespace frond
