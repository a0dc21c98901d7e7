// SPDX-License-Identifier: BSD-3-Clause
// Tests which ranks are asked for work, and when the search ends.
#include "factorization/ranks/work_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace frond {
namespace {

const std::vector<Rank> kMembers = {0, 2, 3, 7};
const std::vector<Load> kView = {{5, 0}, {0, 0}, {1, 0}, {9, 0}, {0, 0}, {0, 0}, {0, 0}, {2, 0}};  // [rank]

// Returns the ranks asked in a round that meets `num_seen` tasks at each.
std::vector<Rank> round(WorkSearch& search, Count free_bytes, Index num_seen) {
  std::vector<Rank> asked = {search.begin(free_bytes, kView)};
  while (const std::optional<Rank> next = search.come_back(num_seen, false)) {
    asked.push_back(*next);
  }
  return asked;
}

TEST(WorkSearch, GoesRoundTheRingOfMembers) {
  for (std::size_t k = 0; k < kMembers.size(); ++k) {
    WorkSearch search(WorkSharing::ring, kMembers[k], kMembers, 1);
    const Rank next = kMembers[(k + 1) % kMembers.size()];
    EXPECT_EQ(round(search, 10, 0), std::vector<Rank>{next});
    EXPECT_EQ(search.next_after_me(3), next);
  }
}

TEST(WorkSearch, AsksEachOtherMemberOnce) {
  std::set<std::vector<Rank>> orders;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    WorkSearch search(WorkSharing::random, 2, kMembers, seed);
    std::vector<Rank> asked = round(search, 10, 0);
    orders.insert(asked);
    std::sort(asked.begin(), asked.end());
    EXPECT_EQ(asked, (std::vector<Rank>{0, 3, 7}));
    EXPECT_EQ(search.next_after_me(7), 7) << "requests go straight back";
  }
  EXPECT_EQ(orders.size(), 6U);
}

TEST(WorkSearch, AsksThoseWithMostToDoFirst) {
  WorkSearch search(WorkSharing::loaded, 2, kMembers, 1);
  EXPECT_EQ(round(search, 10, 0), (std::vector<Rank>{3, 0, 7}));
}

TEST(WorkSearch, EndsWhereSomebodyKnowsThatThereIsNothing) {
  WorkSearch search(WorkSharing::random, 2, kMembers, 1);
  (void)search.begin(1, kView);
  EXPECT_TRUE(search.come_back(4, false).has_value());
  EXPECT_FALSE(search.come_back(0, true).has_value()) << "one was not asked";
  EXPECT_TRUE(search.is_dry()) << "what was seen before is gone";
}

TEST(WorkSearch, EndsWhereThereIsNothing) {
  for (const WorkSharing sharing : {WorkSharing::ring, WorkSharing::random, WorkSharing::loaded}) {
    WorkSearch search(sharing, 0, kMembers, 1);
    EXPECT_FALSE(search.may_begin(0));
    EXPECT_TRUE(search.may_begin(1));
    (void)search.begin(1, kView);
    EXPECT_TRUE(search.is_out());
    EXPECT_FALSE(search.may_begin(100)) << "one request at a time";
    search.granted();
    EXPECT_TRUE(search.may_begin(1));
    (void)round(search, 1, 0);
    EXPECT_TRUE(search.is_dry());
    EXPECT_FALSE(search.may_begin(100));
    search.restart(kMembers);
    EXPECT_TRUE(search.may_begin(1));
  }
}

TEST(WorkSearch, BeginsAgainWithMoreMemoryWhereThatWasWhatLacked) {
  WorkSearch search(WorkSharing::random, 0, kMembers, 1);
  (void)round(search, 10, 1);
  EXPECT_FALSE(search.is_dry());
  EXPECT_FALSE(search.may_begin(10));
  EXPECT_TRUE(search.may_begin(11));
}

TEST(WorkSearch, IsNotForThoseWhoHaveNoOthersOrHaveLeft) {
  EXPECT_TRUE(WorkSearch(WorkSharing::ring, 0, std::vector<Rank>{0}, 1).is_dry());
  EXPECT_TRUE(WorkSearch(WorkSharing::ring, 1, kMembers, 1).is_dry());
  EXPECT_TRUE(WorkSearch(WorkSharing::fixed, 0, kMembers, 1).is_dry());
}

}  // namespace
}  // namespace frond
