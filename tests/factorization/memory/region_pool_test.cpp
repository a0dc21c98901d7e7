// SPDX-License-Identifier: BSD-3-Clause
// Tests the pool of regions: best fit, never much larger, nothing beyond what it may keep.
#include "factorization/memory/region_pool.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "frond/error.hpp"

namespace frond::test {
namespace {

TEST(RegionPool, HandsOutTheSmallestKeptRegionThatFits) {
  RegionPool pool;
  Region small(4096);
  Region medium(8192);
  Region large(65536);
  const std::byte* medium_data = medium.data();
  pool.give_back(std::move(large));
  pool.give_back(std::move(small));
  pool.give_back(std::move(medium));
  EXPECT_EQ(pool.kept_bytes(), 4096 + 8192 + 65536);
  const Region taken = pool.take(5000);
  EXPECT_EQ(taken.data(), medium_data);
  EXPECT_EQ(taken.bytes(), 8192);
  EXPECT_FALSE(taken.is_zero());
  EXPECT_EQ(pool.kept_bytes(), 4096 + 65536);
}

TEST(RegionPool, LeavesMuchLargerRegionsAlone) {
  RegionPool pool;
  pool.give_back(Region(1 << 20));
  const Region taken = pool.take(1000);
  EXPECT_EQ(taken.bytes(), 1000);
  EXPECT_TRUE(taken.is_zero());
  EXPECT_EQ(pool.kept_bytes(), 1 << 20);
}

TEST(RegionPool, KeepsNoMoreThanItMay) {
  RegionPool pool(10000);
  pool.give_back(Region(8000));
  pool.give_back(Region(3000));
  EXPECT_EQ(pool.kept_bytes(), 8000);
  pool.give_back(Region(2000));
  EXPECT_EQ(pool.kept_bytes(), 10000);
  RegionPool nothing(0);
  nothing.give_back(Region(64));
  EXPECT_EQ(nothing.kept_bytes(), 0);
}

TEST(RegionPool, TakesFromItsSourceWhatItHasNotKept) {
  const auto source = std::make_shared<RegionPool>();
  source->give_back(Region(8000));
  {
    RegionPool pool(10000, source);
    Region taken = pool.take(7000);
    EXPECT_EQ(taken.bytes(), 8000);
    EXPECT_EQ(source->kept_bytes(), 0);
    pool.give_back(std::move(taken));
    EXPECT_EQ(pool.kept_bytes(), 8000);
    pool.give_back(Region(4000));  // too much for the pool
    EXPECT_EQ(source->kept_bytes(), 4000);
    EXPECT_EQ(pool.take(8000).bytes(), 8000);
    pool.give_back(Region(9000));
  }
  EXPECT_EQ(source->kept_bytes(), 4000 + 9000);
}

TEST(RegionPool, PassesOnThatTheSystemRefuses) {
  RegionPool pool;
  EXPECT_THROW((void)pool.take(Count{1} << 60), MemoryError);
  EXPECT_EQ(pool.take(0).bytes(), 0);
}

}  // namespace
}  // namespace frond::test
