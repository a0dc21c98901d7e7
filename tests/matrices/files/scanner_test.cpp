// SPDX-License-Identifier: BSD-3-Clause
// Tests walking through the lines and words of a text.
#include "matrices/files/scanner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frond/error.hpp"

namespace frond {
namespace {

using ::testing::ThrowsMessage;

TEST(Scanner, takes_words_and_keeps_to_the_line) {
  Scanner scanner(" one\ttwo \r\n three", "f");
  EXPECT_EQ(scanner.take_word(), "one");
  EXPECT_EQ(scanner.take_word(), "two");
  EXPECT_EQ(scanner.take_word(), "");
  EXPECT_TRUE(scanner.at_line_end());
  EXPECT_EQ(scanner.line(), 1);
  EXPECT_TRUE(scanner.find_word());
  EXPECT_EQ(scanner.line(), 2);
  EXPECT_EQ(scanner.peek(), 't');
  EXPECT_EQ(scanner.take_word(), "three");
  EXPECT_FALSE(scanner.find_word());
}

TEST(Scanner, takes_lines_without_their_ends) {
  Scanner scanner("first \r\n\nthird", "f");
  EXPECT_EQ(scanner.take_line(), "first ");
  EXPECT_EQ(scanner.take_line(), "");
  EXPECT_EQ(scanner.line(), 3);
  EXPECT_EQ(scanner.take_line(), "third");
  EXPECT_EQ(scanner.bytes_left(), 0);
  EXPECT_EQ(scanner.take_line(), "");
}

TEST(Scanner, takes_indices_from_one_as_from_zero) {
  Scanner scanner("1 0012 7", "f");
  EXPECT_EQ(scanner.take_index("row", 12), 0);
  EXPECT_FALSE(scanner.at_line_end());
  EXPECT_EQ(scanner.take_index("row", 12), 11);
  EXPECT_FALSE(scanner.at_line_end());
  EXPECT_THAT([&] { static_cast<void>(scanner.take_index("row", 6)); },
              ThrowsMessage<InputError>("f:1: the row index 7 is outside 1 .. 6"));
}

TEST(Scanner, takes_reals_up_to_the_end_of_the_word) {
  Scanner scanner("2.5\n-1e3", "f");
  EXPECT_EQ(scanner.take_real("value"), 2.5);
  EXPECT_TRUE(scanner.find_word());
  EXPECT_EQ(scanner.take_real("value"), -1000.0);
}

TEST(Scanner, an_error_behind_the_last_line_belongs_to_it) {
  Scanner scanner("a\nb\n", "f");
  scanner.next_line();
  scanner.next_line();
  EXPECT_THAT([&] { scanner.fail("over"); }, ThrowsMessage<InputError>("f:2: over"));
  EXPECT_THAT([] { Scanner("", "f").fail("empty"); }, ThrowsMessage<InputError>("f:1: empty"));
}

TEST(InQuotes, shortens_and_hides_what_cannot_be_printed) {
  EXPECT_EQ(in_quotes("abc"), "'abc'");
  EXPECT_EQ(in_quotes("a\tb\x80"), "'a?b?'");
  EXPECT_EQ(in_quotes(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace frond
