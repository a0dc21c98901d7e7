// SPDX-License-Identifier: BSD-3-Clause
// Tests joining the outcomes of ranks.
#include "factorization/root/root_solver.hpp"

#include <gtest/gtest.h>

namespace frond::test {
namespace {

TEST(RootOutcome, JoinsToTheFirstFailureAndTheSmallestPivot) {
  RootOutcome first;
  first.smallest_pivot = 0.5;
  first.smallest_pivot_position = 8;
  first.determinant = Determinant(-3);
  RootOutcome second;
  second.status = RootStatus::rejected;
  second.failed_pivot = 7;
  second.smallest_pivot = 0.25;
  second.smallest_pivot_position = 3;
  second.determinant = Determinant(5);
  RootOutcome third;
  third.status = RootStatus::rejected;
  third.failed_pivot = 5;
  third.smallest_pivot = 0.25;
  third.smallest_pivot_position = 2;
  third.determinant = Determinant(7);

  RootOutcome expected = third;
  expected.determinant = Determinant(-105);
  RootOutcome forwards = first;
  forwards += second;
  forwards += third;
  EXPECT_EQ(forwards, expected);
  RootOutcome backwards = third;
  backwards += second;
  backwards += first;
  EXPECT_EQ(backwards, expected);
}

}  // namespace
}  // namespace frond::test
