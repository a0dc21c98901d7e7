// SPDX-License-Identifier: BSD-3-Clause
#include "tools/memory_probe.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace frond {
namespace {

constexpr Count kBlock = 64 << 20;

TEST(MemoryProbe, SeesMemoryComeAndGo) {
  const Count before = resident_bytes();
  ASSERT_GT(before, 0);
  {
    const std::vector<char> block(kBlock, 1);
    EXPECT_GE(resident_bytes(), before + kBlock * 9 / 10);
  }
  EXPECT_LE(resident_bytes(), before + kBlock / 2);
  EXPECT_GE(peak_bytes(), before + kBlock * 9 / 10);
}

TEST(MemoryProbe, ForgetsTheOldPeak) {
  { const std::vector<char> block(kBlock, 1); }
  if (!reset_peak_bytes()) {
    GTEST_SKIP() << "the system does not let the peak be reset";
  }
  EXPECT_LE(peak_bytes(), resident_bytes() + kBlock / 2);
}

}  // namespace
}  // namespace frond
