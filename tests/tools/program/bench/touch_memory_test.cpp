// SPDX-License-Identifier: BSD-3-Clause
// Tests that memory is taken and given back.
#include "tools/program/process/memory_probe.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

TEST(TouchMemory, TakesMemoryAndGivesItBack) {
  if (!reset_peak_bytes()) {
    GTEST_SKIP() << "the peak of resident memory cannot be reset here";
  }
  const Count before = resident_bytes();
  touch_memory(Count{256} << 20);
  EXPECT_GE(peak_bytes(), before + (Count{200} << 20));
  EXPECT_LT(resident_bytes(), before + (Count{100} << 20));
  touch_memory(0);
}

}  // namespace
}  // namespace frond
