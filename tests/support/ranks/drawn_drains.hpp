// SPDX-License-Identifier: BSD-3-Clause
// Asks ranks of a virtual run to leave at random moments.
#pragma once

#include <optional>
#include <random>
#include <string>

#include "tests/support/ranks/virtual_ranks.hpp"

namespace frond::test {

/// One to three drains of one or two ranks each, some through files in a folder: triggered by message counts, or one by a rank that
/// is about to act. Must outlive the run.
class DrawnDrains {
 public:
  /// Adds the drains to the run; without drains its ranks receive `num_messages` messages.
  void draw(std::mt19937& random, Rank num_ranks, Count num_messages, const std::string& folder, VirtualRun& run);
  /// Must be called before a rank does this.
  void before(Phase phase);
  /// Returns the phase in which a rank was asked to leave, if that was the trigger.
  [[nodiscard]] std::optional<Phase> phase() const { return times_left_ == 0 ? phase_ : std::nullopt; }

 private:
  std::optional<Phase> phase_;
  std::size_t times_left_ = 1;
};

}  // namespace frond::test
