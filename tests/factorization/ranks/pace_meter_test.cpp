// SPDX-License-Identifier: BSD-3-Clause
// What is remembered of measured times.
#include "factorization/ranks/pace_meter.hpp"

#include <gtest/gtest.h>

#include "loadinfo/load_message.hpp"

namespace frond {
namespace {

TEST(PaceMeter, IsAsExpectedUntilSomethingWasMeasured) {
  PaceMeter meter;
  EXPECT_EQ(meter.thousandths(), kExpectedPace);
  meter.note(0, 0);
  EXPECT_EQ(meter.thousandths(), kExpectedPace);
}

TEST(PaceMeter, IsTheQuotientOfWhatIsMeasuredAndExpected) {
  PaceMeter meter;
  for (int task = 1; task < 50; ++task) {
    meter.note(0.3 * task, 0.1 * task);
    EXPECT_EQ(meter.thousandths(), 3000);
  }
}

TEST(PaceMeter, ForgetsWhatLiesFarBack) {
  PaceMeter meter;
  for (int task = 0; task < 100; ++task) {
    meter.note(0.01, 0.01);
  }
  for (int task = 0; task < 40; ++task) {  // 0.8 s beside 1 s from before
    meter.note(0.02, 0.01);
  }
  EXPECT_GT(meter.thousandths(), 1700);
  EXPECT_LE(meter.thousandths(), 2000);
}

TEST(PaceMeter, IsNeverZero) {
  PaceMeter meter;
  meter.note(0, 1);
  EXPECT_EQ(meter.thousandths(), 1);
}

}  // namespace
}  // namespace frond
