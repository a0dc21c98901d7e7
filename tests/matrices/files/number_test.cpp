// SPDX-License-Identifier: BSD-3-Clause
// Tests reading single numbers.
#include "matrices/files/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace frond {
namespace {

/// Returns the value if the whole text is one number, NaN otherwise.
double value_of(const std::string& text) {
  const ParsedReal parsed = parse_real(text.data(), text.data() + text.size());
  const bool is_whole = parsed.status == NumberStatus::ok && parsed.end == text.data() + text.size();
  return is_whole ? parsed.value : std::numeric_limits<double>::quiet_NaN();
}

NumberStatus status_of(const std::string& text) { return parse_real(text.data(), text.data() + text.size()).status; }

TEST(ParseReal, reads_what_c_and_fortran_write) {
  EXPECT_EQ(value_of("1"), 1.0);
  EXPECT_EQ(value_of("+1.5"), 1.5);
  EXPECT_EQ(value_of("-.5"), -0.5);
  EXPECT_EQ(value_of("5."), 5.0);
  EXPECT_EQ(value_of("1e3"), 1000.0);
  EXPECT_EQ(value_of("1.5E-03"), 0.0015);
  EXPECT_EQ(value_of("1.5D+03"), 1500.0);
  EXPECT_EQ(value_of("-2d2"), -200.0);
  EXPECT_EQ(value_of("5.d0"), 5.0);
  EXPECT_TRUE(std::signbit(value_of("-0")));
}

TEST(ParseReal, rounds_to_the_nearest_double) {
  EXPECT_EQ(value_of("0.1"), 0.1);
  EXPECT_EQ(value_of("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(value_of("4.9e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(value_of("9007199254740993"), 9007199254740992.0);
}

TEST(ParseReal, tells_overflow_from_underflow) {
  for (const char* text : {"1e309", "-1e400", "1e99999999999999999999", "123456e305", "1D400", "0.0001e320"}) {
    EXPECT_EQ(status_of(text), NumberStatus::overflow) << text;
  }
  EXPECT_EQ(status_of("1" + std::string(400, '0')), NumberStatus::overflow);
  for (const char* text : {"1e-400", "-1e-400", "1e-99999999999999999999", "123456e-400", "1D-400", "0.0001e-322"}) {
    EXPECT_EQ(value_of(text), 0.0) << text;
  }
  EXPECT_EQ(value_of("0." + std::string(400, '0') + "1"), 0.0);
}

TEST(ParseReal, refuses_what_is_no_number) {
  for (const char* text : {"", "x", "-", "+", "+-1", "--1", ".", "e5", "- 1"}) {
    EXPECT_EQ(status_of(text), NumberStatus::malformed) << text;
  }
  for (const char* text : {"inf", "-Infinity", "nan", "NaN(1)", "+inf"}) {
    EXPECT_EQ(status_of(text), NumberStatus::not_finite) << text;
  }
  for (const char* text : {"1x", "1e", "1e+", "1d", "0x10", "1.2.3", "1,5"}) {
    EXPECT_TRUE(std::isnan(value_of(text))) << text;
  }
}

TEST(ParseInteger, takes_whole_tokens_of_64_bits) {
  Count value = 0;
  EXPECT_TRUE(parse_integer("-12", value));
  EXPECT_EQ(value, -12);
  EXPECT_TRUE(parse_integer("+9223372036854775807", value));
  EXPECT_EQ(value, std::numeric_limits<Count>::max());
  for (const char* text : {"", "+", "+-1", "1.0", "1x", "9223372036854775808"}) {
    EXPECT_FALSE(parse_integer(text, value)) << text;
  }
}

}  // namespace
}  // namespace frond
