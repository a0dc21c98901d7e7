// SPDX-License-Identifier: BSD-3-Clause
// Tests the positions of rows in fronts with permuted and delayed variables.
#include "solver/distributed/ranks/front_places.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

TEST(FrontPlaces, FindsPermutedAndDelayedVariables) {
  FrontPlaces places;
  places.set(4, 2, std::vector<Index>{5, 2, 4, 0});
  EXPECT_EQ(places.of_variable(5), 0);
  EXPECT_EQ(places.of_variable(2), 1);
  EXPECT_EQ(places.of_variable(4), 2);
  EXPECT_EQ(places.of_variable(0), 3);
  EXPECT_EQ(places.of_position(0), 2);
  EXPECT_EQ(places.of_position(1), 0);
  EXPECT_EQ(places.of_position(2), 4);
  EXPECT_EQ(places.of_position(3), 5);
}

TEST(FrontPlaces, ForgetsTheFrontBefore) {
  FrontPlaces places;
  places.set(4, 2, std::vector<Index>{5, 2, 4});
  places.set(7, 1, std::vector<Index>{3, 7});
  EXPECT_EQ(places.of_variable(3), 0);
  EXPECT_EQ(places.of_variable(7), 1);
  EXPECT_EQ(places.of_position(1), 2);
}

}  // namespace
}  // namespace frond
