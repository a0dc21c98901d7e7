// SPDX-License-Identifier: BSD-3-Clause
// Tests how measured times are remembered and forgotten.
#include "factorization/ranks/pace_meter.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

const FrontCost kWork{1e6, 1e4};
const double kExpected = front_seconds(kWork);

TEST(PaceMeter, SaysNothingUntilSomethingWasMeasured) { EXPECT_EQ(PaceMeter().last().thousandths, 0); }

TEST(PaceMeter, IsTheQuotientOfWhatIsMeasuredAndExpected) {
  PaceMeter meter;
  for (int task = 1; task < 50; ++task) {
    meter.note(kWork, 3 * kExpected);
    EXPECT_EQ(meter.last(), (Pace{pace_kind(kWork), 3000}));
  }
}

TEST(PaceMeter, ForgetsWhatLiesFarBack) {
  PaceMeter meter;
  for (int task = 0; task < 100; ++task) {
    meter.note(kWork, kExpected);
  }
  for (int task = 0; task < 40; ++task) {  // 80 of 180
    meter.note(kWork, 2 * kExpected);
  }
  EXPECT_GT(meter.last().thousandths, 1700);
  EXPECT_LE(meter.last().thousandths, 2000);
}

TEST(PaceMeter, IsNeverZero) {
  PaceMeter meter;
  meter.note(kWork, 0);
  EXPECT_EQ(meter.last().thousandths, 1);
}

TEST(PaceMeter, KeepsKindsOfWorkApart) {
  const FrontCost small{1e3, 1e3};
  ASSERT_NE(pace_kind(small), pace_kind(kWork));
  PaceMeter meter;
  meter.note(kWork, kExpected);
  meter.note(small, 7 * front_seconds(small));
  EXPECT_EQ(meter.last(), (Pace{pace_kind(small), 7000}));
  meter.note(kWork, kExpected);
  EXPECT_EQ(meter.last(), (Pace{pace_kind(kWork), 1000}));
}

TEST(PaceKind, GoesByFlopsForEachEntry) {
  EXPECT_EQ(pace_kind({0, 0}), 0);
  EXPECT_EQ(pace_kind({5, 10}), 0);
  EXPECT_EQ(pace_kind({16e6, 1e6}), 16);
  EXPECT_EQ(pace_kind({16e3, 1e3}), 16) << "however large it is";
  EXPECT_EQ(pace_kind({19.1e6, 1e6}), 17);
  EXPECT_EQ(pace_kind({1e30, 1}), kNumPaceKinds - 1);
}

}  // namespace
}  // namespace frond
