// SPDX-License-Identifier: BSD-3-Clause
// A range of consecutive ranks.
#pragma once

#include "frond/types.hpp"

namespace frond {

/// The ranks [begin, end).
struct RankRange {
  Rank begin = 0;
  Rank end = 0;

  [[nodiscard]] Rank size() const { return end - begin; }
  [[nodiscard]] bool contains(Rank rank) const { return begin <= rank && rank < end; }
  [[nodiscard]] bool operator==(const RankRange&) const = default;
};

}  // namespace frond
