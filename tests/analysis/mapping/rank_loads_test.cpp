// SPDX-License-Identifier: BSD-3-Clause
// Tests the segment tree of loads against a plain array.
#include "analysis/mapping/rank_loads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace frond::test {
namespace {

RankRange random_range(Rank num_ranks, std::mt19937& random) {
  const Rank begin = std::uniform_int_distribution<Rank>(0, num_ranks - 1)(random);
  return {begin, std::uniform_int_distribution<Rank>(begin + 1, num_ranks)(random)};
}

TEST(RankLoads, FindsTheFirstOfTheLeastLoaded) {
  RankLoads loads(3);
  EXPECT_EQ(loads.least_loaded({0, 3}), 0);
  loads.add(0, {1, 0});
  EXPECT_EQ(loads.least_loaded({0, 3}), 1);
  loads.add(RankRange{1, 3}, {1, 5});
  EXPECT_EQ(loads.least_loaded({0, 3}), 0);  // equal first keys, the second decides
  EXPECT_EQ(loads.least_loaded({1, 3}), 1);
  EXPECT_DOUBLE_EQ(loads.load(2).second, 5);
}

TEST(RankLoads, AgreesWithAnArray) {
  for (const Rank num_ranks : {1, 2, 5, 16, 37}) {
    std::mt19937 random(static_cast<std::uint32_t>(num_ranks));
    RankLoads loads(num_ranks);
    std::vector<RankLoad> expected(num_ranks);
    for (int step = 0; step < 300; ++step) {
      const RankRange changed = random_range(num_ranks, random);
      const RankLoad load{static_cast<double>(random() % 4), static_cast<double>(random() % 4)};  // integers: exact sums, many ties
      loads.add(changed, load);
      for (Rank rank = changed.begin; rank < changed.end; ++rank) expected[rank] += load;
      const RankRange asked = random_range(num_ranks, random);
      const auto least = std::min_element(expected.begin() + asked.begin, expected.begin() + asked.end);
      ASSERT_EQ(loads.least_loaded(asked), least - expected.begin()) << num_ranks << " ranks, step " << step;
      ASSERT_EQ(loads.load(asked.begin), expected[asked.begin]);
    }
  }
}

}  // namespace
}  // namespace frond::test
