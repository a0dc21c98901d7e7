// SPDX-License-Identifier: BSD-3-Clause
// Tests the segment tree of peaks against a plain array.
#include "analysis/mapping/rank_peaks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace frond::test {
namespace {

RankRange random_ranks(Rank num_ranks, std::mt19937& random) {
  const Rank begin = std::uniform_int_distribution<Rank>(0, num_ranks - 1)(random);
  return {begin, std::uniform_int_distribution<Rank>(begin + 1, num_ranks)(random)};
}

TEST(RankPeaks, AgreesWithAnArray) {
  for (const Rank num_ranks : {1, 2, 5, 16, 37}) {
    std::mt19937 random(static_cast<std::uint32_t>(num_ranks));
    RankPeaks peaks(num_ranks);
    std::vector<double> now(num_ranks, 0.0);
    std::vector<double> highest(num_ranks, 0.0);
    for (int step = 0; step < 300; ++step) {
      const RankRange changed = random_ranks(num_ranks, random);
      const double amount = std::uniform_int_distribution<int>(-20, 20)(random);
      peaks.add(changed, amount);
      for (Rank rank = changed.begin; rank < changed.end; ++rank) {
        now[rank] += amount;
        highest[rank] = std::max(highest[rank], now[rank]);
      }
    }
    peaks.add(RankRange{0, 0}, 1000);  // an empty range
    EXPECT_EQ(std::move(peaks).peaks(), highest) << num_ranks << " ranks";
  }
}

}  // namespace
}  // namespace frond::test
