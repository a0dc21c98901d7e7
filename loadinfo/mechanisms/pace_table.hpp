// SPDX-License-Identifier: BSD-3-Clause
// Compares the speeds of ranks from the paces that all of them report.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "loadinfo/mechanisms/load_message.hpp"

namespace frond {

/// Work may take longer than expected on slow ranks or because its kind is always slow: only work of one kind is compared.
class PaceTable {
 public:
  explicit PaceTable(Rank num_ranks) : num_ranks_(static_cast<std::size_t>(num_ranks)) {}

  /// Notes the pace that the rank reports for one kind of work; ignored if it has not measured any.
  void note(Rank rank, const Pace& pace);

  /// Returns [rank] = seconds that the rank takes for work that takes the median rank one second, among ranks that have measured
  /// such work. 1 for ranks that have not reported a pace or seem to be faster.
  [[nodiscard]] std::vector<double> slowness() const;

 private:
  std::size_t num_ranks_;
  std::array<std::vector<float>, kNumPaceKinds> paces_;  // [kind][rank], in thousandths; 0: unknown; empty: unknown for all ranks
};

}  // namespace frond
