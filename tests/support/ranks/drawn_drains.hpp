// SPDX-License-Identifier: BSD-3-Clause
// Ranks that are asked to leave a virtual run at drawn moments.
#pragma once

#include <optional>
#include <random>
#include <string>

#include "tests/support/ranks/virtual_ranks.hpp"

namespace frond::test {

/// One to three drains of one or two ranks each, some through files in a folder: by numbers of messages, or one when some rank is
/// about to do something. Outlives the run.
class DrawnDrains {
 public:
  /// Adds them to the run; its ranks receive so many messages if nobody leaves.
  void draw(std::mt19937& random, Rank num_ranks, Count num_messages, const std::string& folder, VirtualRun& run);
  /// Some rank is about to do this.
  void before(Phase phase);
  /// At which somebody was asked to leave, if that was the reason.
  [[nodiscard]] std::optional<Phase> phase() const { return times_left_ == 0 ? phase_ : std::nullopt; }

 private:
  std::optional<Phase> phase_;
  std::size_t times_left_ = 1;
};

}  // namespace frond::test
