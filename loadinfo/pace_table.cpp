// SPDX-License-Identifier: BSD-3-Clause
// Medians of kinds, and sums over them.
#include "loadinfo/pace_table.hpp"

#include <algorithm>
#include <cstddef>

namespace frond {

void PaceTable::note(Rank rank, const Pace& pace) {
  if (pace.thousandths > 0) {
    paces_[static_cast<std::size_t>(rank)].at(pace.kind) = pace.thousandths;
  }
}

// Of two the lower one is the median, so that where only two can be compared the slower one is the one that is slow.
std::vector<double> PaceTable::slowness() const {
  std::vector<double> own(paces_.size(), 0);
  std::vector<double> common(paces_.size(), 0);
  std::vector<Count> known;
  for (std::size_t kind = 0; kind < kNumPaceKinds; ++kind) {
    known.clear();
    for (const auto& paces : paces_) {
      if (paces[kind] > 0) {
        known.push_back(paces[kind]);
      }
    }
    if (known.empty()) {
      continue;
    }
    const auto median = known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) / 2);
    std::nth_element(known.begin(), median, known.end());
    for (std::size_t rank = 0; rank < paces_.size(); ++rank) {
      if (const Count pace = paces_[rank][kind]; pace > 0) {
        own[rank] += static_cast<double>(pace);
        common[rank] += static_cast<double>(*median);
      }
    }
  }
  std::transform(own.begin(), own.end(), common.begin(), own.begin(),
                 [](double of_rank, double of_all) { return of_all > 0 ? of_rank / of_all : 1; });
  return own;
}

}  // namespace frond
