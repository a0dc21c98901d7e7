// SPDX-License-Identifier: BSD-3-Clause
#include "factorization/memory/fault_watch.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

constexpr Count kMegabyte = Count{1} << 20;
constexpr double kUsual = 0.15e-9;  // seconds to clear a byte
constexpr double kDear = 10e-9;

TEST(FaultWatch, SaysOnceThatHugePagesAreDear) {
  FaultWatch watch;
  int num_finds = 0;
  for (int front = 0; front < 100; ++front) {
    num_finds += watch.finds_dear(kMegabyte, kMegabyte * kDear) ? 1 : 0;
  }
  EXPECT_EQ(num_finds, 1);
}

TEST(FaultWatch, LooksAtMegabytesAndNotAtSingleFronts) {
  FaultWatch watch;
  EXPECT_FALSE(watch.finds_dear(kMegabyte, kMegabyte * kDear)) << "one slow front says nothing";
  for (int front = 0; front < 100; ++front) {
    EXPECT_FALSE(watch.finds_dear(kMegabyte, kMegabyte * kUsual));
  }
}

TEST(FaultWatch, FindsPagesThatBecomeDearLater) {
  FaultWatch watch;
  for (int front = 0; front < 1000; ++front) {
    ASSERT_FALSE(watch.finds_dear(kMegabyte, kMegabyte * kUsual));
  }
  bool is_found = false;
  for (int front = 0; front < 16 && !is_found; ++front) {
    is_found = watch.finds_dear(kMegabyte, kMegabyte * kDear);
  }
  EXPECT_TRUE(is_found);
}

}  // namespace
}  // namespace frond
