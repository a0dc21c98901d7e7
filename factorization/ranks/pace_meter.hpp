// SPDX-License-Identifier: BSD-3-Clause
// Measures how fast a rank works: the time of its tasks relative to the expected time.
#pragma once

#include <array>

#include "analysis/tree/front_cost.hpp"
#include "loadinfo/mechanisms/load_message.hpp"

namespace frond {

/// Returns the kind of work of that cost. Flops per entry determine how far from its peak a core is, so the kinds of the PaceTable
/// are quarter octaves of that ratio, up to 2^(kNumPaceKinds / 4).
[[nodiscard]] std::uint8_t pace_kind(const FrontCost& cost);

/// Keeps a running mean for each kind of work: a measurement that lies back by a quarter of all measured time counts 1/e as much as
/// the last task.
class PaceMeter {
 public:
  /// Records that one worker has done a task of that cost alone, in `seconds`.
  void note(const FrontCost& cost, double seconds);
  /// Returns the pace in the kind of work that was noted last.
  [[nodiscard]] Pace last() const;

 private:
  struct Mean {
    double all_seconds = 0;
    double seconds = 0;   // weighted
    double expected = 0;  // for these
  };
  std::array<Mean, kNumPaceKinds> means_;
  std::uint8_t last_ = 0;
};

}  // namespace frond
