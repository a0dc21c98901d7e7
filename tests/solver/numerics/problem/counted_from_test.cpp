// SPDX-License-Identifier: BSD-3-Clause
// Tests messages whose row numbers are converted to another index base.
#include "solver/numerics/problem/counted_from.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

TEST(CountedFrom, NumbersOfRowsColumnsAndVariablesAreShifted) {
  EXPECT_EQ(counted_from("the entry in row 9, column 1 (counted from 0) is not finite", 1),
            "the entry in row 10, column 2 (counted from 1) is not finite");
  EXPECT_EQ(
      counted_from("singular: variable 10 (counted from 1) has no usable pivot; null pivots: 3, numerical rank: 97 of 100", 0),
      "singular: variable 9 (counted from 0) has no usable pivot; null pivots: 3, numerical rank: 97 of 100");
  EXPECT_EQ(counted_from("indefinite (pivot of variable 7, counted from 1): LDLT", 0),
            "indefinite (pivot of variable 6, counted from 0): LDLT");
  EXPECT_EQ(counted_from("row 3: row 4 of column 0 of B (counted from 0), row 5", 1),
            "row 3: row 5 of column 1 of B (counted from 1), row 5");
}

TEST(CountedFrom, WhatHasTheBaseOrNoneStaysAsItIs) {
  for (const char* text : {"row 4 (counted from 0) is none of them", "variable 3 is alone", "", "counted from "}) {
    EXPECT_EQ(counted_from(text, 0), text);
  }
  EXPECT_EQ(counted_from("row 1 (counted from 0), then row 2 (counted from 0)", 1),
            "row 2 (counted from 1), then row 3 (counted from 1)");
}

}  // namespace
}  // namespace frond
