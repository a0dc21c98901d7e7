// SPDX-License-Identifier: BSD-3-Clause
// Tests numbers formatted for people.
#include "tools/program/page/human_figures.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

TEST(HumanFigures, HaveThreeDigits) {
  EXPECT_EQ(format_three_digits(0), "0");
  EXPECT_EQ(format_three_digits(6.8), "6.80");
  EXPECT_EQ(format_three_digits(9.996), "10.0");
  EXPECT_EQ(format_three_digits(0.04213), "0.0421");
  EXPECT_EQ(format_three_digits(999.6), "1\u202f000");
  EXPECT_EQ(format_three_digits(12345.4), "12\u202f345");
  EXPECT_EQ(format_three_digits(1.234e-9), "1.23e-09");
}

TEST(HumanFigures, AreGroupedByThree) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(10500), "10\u202f500");
  EXPECT_EQ(format_count(1234567), "1\u202f234\u202f567");
  EXPECT_EQ(format_count(-1234), "-1\u202f234");
  EXPECT_EQ(format_count(-123), "-123");
}

TEST(HumanFigures, HavePrefixes) {
  EXPECT_EQ(format_scaled(0, "B"), "0\u202fB");
  EXPECT_EQ(format_scaled(12), "12");
  EXPECT_EQ(format_scaled(12.5), "12.5");
  EXPECT_EQ(format_scaled(999600), "1.00\u202fM");
  EXPECT_EQ(format_scaled(8.7e6), "8.70\u202fM");
  EXPECT_EQ(format_scaled(5e9, "B"), "5.00\u202fGB");
  EXPECT_EQ(format_tick(1e6), "1\u202fM");
  EXPECT_EQ(format_tick(2500), "2.5\u202fk");
  EXPECT_EQ(format_tick(0.05), "0.05");
  EXPECT_EQ(format_tick(0), "0");
}

TEST(HumanFigures, HaveUnitsOfTime) {
  EXPECT_EQ(format_duration(6.8), "6.80\u202fs");
  EXPECT_EQ(format_duration(0.9999), "1.00\u202fs");
  EXPECT_EQ(format_duration(0.0421), "42.1\u202fms");
  EXPECT_EQ(format_duration(1.23e-5), "12.3\u202fµs");
  EXPECT_EQ(format_duration(0), "0\u202fs");
}

TEST(HumanFigures, AreRatios) {
  EXPECT_EQ(format_factor(1.335), "1.33");
  EXPECT_EQ(format_factor(41.26), "41.3");
}

}  // namespace
}  // namespace frond
