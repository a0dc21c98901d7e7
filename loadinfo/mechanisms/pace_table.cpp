// SPDX-License-Identifier: BSD-3-Clause
// Takes medians for each kind of work and sums over the kinds.
#include "loadinfo/mechanisms/pace_table.hpp"

#include <algorithm>
#include <iterator>

namespace frond {

void PaceTable::note(Rank rank, const Pace& pace) {
  if (pace.thousandths > 0) {
    std::vector<float>& of_kind = paces_.at(pace.kind);
    of_kind.resize(num_ranks_, 0);
    of_kind.at(static_cast<std::size_t>(rank)) = static_cast<float>(pace.thousandths);
  }
}

// The smaller of two values counts as their median, so that the slower of two ranks is slow. A rank that seems faster than most has
// usually measured too little.
std::vector<double> PaceTable::slowness() const {
  std::vector<double> own(num_ranks_, 0);
  std::vector<double> common(num_ranks_, 0);
  std::vector<float> known;
  for (const std::vector<float>& of_kind : paces_) {
    known.clear();
    std::copy_if(of_kind.begin(), of_kind.end(), std::back_inserter(known), [](float pace) { return pace > 0; });
    if (known.empty()) {
      continue;
    }
    const auto median = known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) / 2);
    std::nth_element(known.begin(), median, known.end());
    for (std::size_t rank = 0; rank < num_ranks_; ++rank) {
      if (of_kind[rank] > 0) {
        own[rank] += of_kind[rank];
        common[rank] += *median;
      }
    }
  }
  std::transform(own.begin(), own.end(), common.begin(), own.begin(),
                 [](double of_rank, double of_all) { return of_all > 0 ? std::max(1.0, of_rank / of_all) : 1; });
  return own;
}

}  // namespace frond
