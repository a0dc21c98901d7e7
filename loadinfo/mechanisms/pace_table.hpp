// SPDX-License-Identifier: BSD-3-Clause
// Who works how fast, by what all ranks say of it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "loadinfo/mechanisms/load_message.hpp"

namespace frond {

/// What takes longer than expected may be slow ranks, or work of a kind that is always slow: only work of one kind is compared.
class PaceTable {
 public:
  explicit PaceTable(Rank num_ranks) : num_ranks_(static_cast<std::size_t>(num_ranks)) {}

  /// What the rank says of one kind of work; nothing if it has not measured any.
  void note(Rank rank, const Pace& pace);

  /// [rank] = seconds that it takes for what takes ranks one second: the median of those that have measured such work. 1 for
  /// whoever has said nothing, or seems to be faster.
  [[nodiscard]] std::vector<double> slowness() const;

 private:
  std::size_t num_ranks_;
  std::array<std::vector<float>, kNumPaceKinds> paces_;  // [kind][rank], in thousandths; 0: not known; empty: of nobody
};

}  // namespace frond
