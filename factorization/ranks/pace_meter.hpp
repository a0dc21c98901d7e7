// SPDX-License-Identifier: BSD-3-Clause
// How fast a rank works: what its tasks take, against what they are expected to take.
#pragma once

#include <array>

#include "analysis/tree/front_cost.hpp"
#include "loadinfo/mechanisms/load_message.hpp"

namespace frond {

/// Flops for each entry decide how far from its peak a core is, so what differs in them is work of different kinds: the kinds of
/// the PaceTable are quarters of octaves of that quotient, up to 2^(kNumPaceKinds / 4).
[[nodiscard]] std::uint8_t pace_kind(const FrontCost& cost);

/// For each kind of work a mean of what was measured lately: what lies back by a quarter of all measured time counts 1/e as much as
/// the last task.
class PaceMeter {
 public:
  /// One worker has done a task of that cost alone, in so many seconds.
  void note(const FrontCost& cost, double seconds);
  /// In the kind of work that was noted last.
  [[nodiscard]] Pace last() const;

 private:
  struct Mean {
    double all_seconds = 0;
    double seconds = 0;   // that count
    double expected = 0;  // for these
  };
  std::array<Mean, kNumPaceKinds> means_;
  std::uint8_t last_ = 0;
};

}  // namespace frond
