// SPDX-License-Identifier: BSD-3-Clause
// Tests the meter: sums, peak, limit, from many threads.
#include "factorization/memory/memory_meter.hpp"

#include <gtest/gtest.h>

#include <string>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/run_threads.hpp"

namespace frond::test {
namespace {

TEST(MemoryMeter, RemembersThePeak) {
  MemoryMeter meter(0);
  meter.charge(100);
  meter.charge(50);
  meter.release(120);
  meter.charge(20);
  EXPECT_EQ(meter.current(), 50);
  EXPECT_EQ(meter.peak(), 150);
}

TEST(MemoryMeter, RemembersThePeakOfWhatDoesNotStay) {
  MemoryMeter meter(0);
  meter.charge_active(100);
  meter.release_active(80);
  meter.charge(500);
  meter.charge_active(30);
  EXPECT_EQ(meter.current(), 550);
  EXPECT_EQ(meter.peak(), 550);
  EXPECT_EQ(meter.current_active(), 50);
  EXPECT_EQ(meter.peak_active(), 100);
}

TEST(MemoryMeter, CountsNothingActiveThatPassesTheLimit) {
  MemoryMeter meter(100);
  EXPECT_THROW(meter.charge_active(101), MemoryError);
  EXPECT_EQ(meter.current_active(), 0);
  EXPECT_EQ(meter.peak_active(), 0);
}

TEST(MemoryMeter, AdmitsTheLimitAndNotAByteMore) {
  MemoryMeter meter(1000);
  meter.charge(400);
  meter.charge(600);
  meter.release(600);
  const auto error = testing::error_of<MemoryError>([&] { meter.charge(601); });
  EXPECT_EQ(error.needed_bytes(), 1001);
  EXPECT_EQ(error.limit_bytes(), 1000);
  EXPECT_NE(std::string(error.what()).find("1001"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("1000"), std::string::npos) << error.what();
  EXPECT_EQ(meter.current(), 400);
  EXPECT_EQ(meter.peak(), 1000);
}

TEST(MemoryMeter, FindsItsLimitWhenTheFirstIsPassed) {
  MemoryMeter meter(100);
  int num_calls = 0;
  meter.set_later_limit([&] {
    ++num_calls;
    return MemoryLimit{1000, "the machine"};
  });
  meter.charge(100);
  EXPECT_EQ(num_calls, 0);
  meter.charge(900);
  const auto error = testing::error_of<MemoryError>([&] { meter.charge(1); });
  EXPECT_EQ(num_calls, 1);
  EXPECT_EQ(error.limit_bytes(), 1000);
  EXPECT_NE(std::string(error.what()).find("the machine leaves only 1000"), std::string::npos) << error.what();
  EXPECT_EQ(meter.free_bytes(), 0);
}

TEST(MemoryMeter, KeepsIdleMemoryThatTheLaterLimitHasRoomFor) {
  MemoryMeter meter(100);
  meter.set_later_limit([] { return MemoryLimit{1000, "the machine"}; });
  int num_calls = 0;
  meter.set_holder_of_idle([&] { ++num_calls; });
  meter.set_idle(500);
  meter.charge(50);
  EXPECT_EQ(num_calls, 0);
  meter.charge(460);
  EXPECT_EQ(num_calls, 1);
}

TEST(MemoryMeter, AddsUpWhatThreadsCharge) {
  MemoryMeter meter(0);
  testing::run_threads(4, [&](int /*thread*/) {
    for (int k = 0; k < 10000; ++k) {
      meter.charge(3);
      meter.release(2);
    }
  });
  EXPECT_EQ(meter.current(), 40000);
  EXPECT_GE(meter.peak(), 40000);
  EXPECT_LE(meter.peak(), 40000 + 4 * 2);
}

}  // namespace
}  // namespace frond::test
