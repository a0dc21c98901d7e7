// SPDX-License-Identifier: BSD-3-Clause
// Tests joining the outcomes of ranks.
#include "factorization/root/root_solver.hpp"

#include <gtest/gtest.h>

namespace frond::test {
namespace {

TEST(RootOutcome, JoinsToTheFirstFailureAndTheSmallestPivot) {
  const RootOutcome first{.smallest_pivot = 0.5, .smallest_pivot_position = 8, .determinant = Determinant(-3)};
  const RootOutcome second{.status = RootStatus::rejected,
                           .failed_pivot = 7,
                           .smallest_pivot = 0.25,
                           .smallest_pivot_position = 3,
                           .determinant = Determinant(5)};
  const RootOutcome third{.status = RootStatus::rejected,
                          .failed_pivot = 5,
                          .smallest_pivot = 0.25,
                          .smallest_pivot_position = 2,
                          .determinant = Determinant(7)};

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
