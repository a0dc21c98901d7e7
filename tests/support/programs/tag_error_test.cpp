// SPDX-License-Identifier: BSD-3-Clause
// Tests the tag checker on pages with one fault each.
#include "tests/support/programs/tag_error.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

using testing::tag_error;

TEST(TagError, FindsWhatItIsFor) {
  EXPECT_EQ(tag_error("<!DOCTYPE html><p a=\"b\">x<br/></p>"), "");
  EXPECT_NE(tag_error("<p><b></p></b>"), "");
  EXPECT_NE(tag_error("<p>"), "");
  EXPECT_NE(tag_error("<p a=\"b>x</p>"), "");
  EXPECT_NE(tag_error("<p>1 < 2</p>"), "");
}

TEST(CountOf, CountsPartsThatDoNotOverlap) {
  EXPECT_EQ(testing::count_of("aaaa", "aa"), 2);
  EXPECT_EQ(testing::count_of("", "a"), 0);
}

}  // namespace
}  // namespace frond
