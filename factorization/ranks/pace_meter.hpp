// SPDX-License-Identifier: BSD-3-Clause
// How fast a rank works: what its tasks take, against what they are expected to take.
#pragma once

#include "frond/types.hpp"

namespace frond {

/// A mean of what was measured lately: what lies back by a quarter of all measured time counts 1/e as much as the last task.
class PaceMeter {
 public:
  /// One worker has done a task alone, in so many seconds of so many.
  void note(double seconds, double expected_seconds);
  /// Seconds over expected seconds, in thousandths, as LoadExchange has it; kExpectedPace as long as nothing was measured.
  [[nodiscard]] Count thousandths() const;

 private:
  double all_seconds_ = 0;
  double seconds_ = 0;   // that count
  double expected_ = 0;  // for these
};

}  // namespace frond
