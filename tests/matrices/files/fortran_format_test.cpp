// SPDX-License-Identifier: BSD-3-Clause
// Tests Fortran formats and the fields they describe.
#include "matrices/files/fortran_format.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

void expect_format(const char* text, std::size_t repeat, std::size_t width, int decimals, int scale, bool is_integer) {
  const std::optional<FortranFormat> format = parse_fortran_format(text);
  ASSERT_TRUE(format.has_value()) << text;
  EXPECT_EQ(format->repeat, repeat) << text;
  EXPECT_EQ(format->width, width) << text;
  EXPECT_EQ(format->decimals, decimals) << text;
  EXPECT_EQ(format->scale, scale) << text;
  EXPECT_EQ(format->is_integer, is_integer) << text;
}

TEST(FortranFormat, is_parsed_as_files_write_it) {
  expect_format("(16I5)", 16, 5, 0, 0, true);
  expect_format("(i8)", 1, 8, 0, 0, true);
  expect_format(" ( 10 I 8 )  ", 10, 8, 0, 0, true);
  expect_format("(12I6.4)", 12, 6, 0, 0, true);
  expect_format("(4E20.12)", 4, 20, 12, 0, false);
  expect_format("(3d22.16)", 3, 22, 16, 0, false);
  expect_format("(8F10)", 8, 10, 0, 0, false);
  expect_format("(1P,4D20.12)", 4, 20, 12, 1, false);
  expect_format("(1P5E16.8)", 5, 16, 8, 1, false);
  expect_format("(-2PF8.3)", 1, 8, 3, -2, false);
  expect_format("(3G26.18E3)", 3, 26, 18, 0, false);
}

TEST(FortranFormat, is_refused_when_it_is_none) {
  for (const char* text :
       {"", "16I5", "(16I5", "(16I5))", "(A8)", "(0I5)", "(16I0)", "(16I)", "(E20.)", "(E20.12E)", "(-4I5)", "(P,I5)",
        "(1000P,E5.1)", "(99999999999999999999I5)", "(2I99999999999999999999)", "(E5.6)", "(16I5,2X)"}) {
    EXPECT_FALSE(parse_fortran_format(text).has_value()) << text;
  }
}

double value_of(const char* field, const char* format) {
  const ParsedReal parsed = parse_fortran_real(field, parse_fortran_format(format).value());
  EXPECT_EQ(parsed.status, NumberStatus::ok) << field;
  return parsed.value;
}

TEST(FortranReal, reads_written_numbers) {
  EXPECT_EQ(value_of("  1.25D+01", "(E10.3)"), 12.5);
  EXPECT_EQ(value_of("1.25E+01  ", "(E10.3)"), 12.5);
  EXPECT_EQ(value_of(" 42 ", "(I4)"), 42.0);
  EXPECT_EQ(value_of("-7", "(I2)"), -7.0);
}

TEST(FortranReal, puts_the_point_where_the_format_says) {
  EXPECT_EQ(value_of("12345", "(F8.2)"), 123.45);
  EXPECT_EQ(value_of("123.4", "(F8.2)"), 123.4);
  EXPECT_EQ(value_of("125E1", "(E8.2)"), 12.5);
}

TEST(FortranReal, scales_numbers_without_exponent_only) {
  EXPECT_EQ(value_of("12.5", "(1PE10.3)"), 1.25);
  EXPECT_EQ(value_of("12.5E0", "(1PE10.3)"), 12.5);
  EXPECT_EQ(value_of("12.5", "(-1PF10.3)"), 125.0);
}

TEST(FortranReal, takes_an_exponent_without_letter) {
  EXPECT_EQ(value_of("1.5-103", "(E10.3)"), 1.5e-103);
  EXPECT_EQ(value_of("-1.5+3", "(E10.3)"), -1500.0);
}

TEST(FortranReal, refuses_what_is_no_number) {
  const FortranFormat format = parse_fortran_format("(E10.3)").value();
  for (const char* field :
       {"", "    ", "x", "1.0 2.0", "1.0E", "1.0E+", "1.0-", "1.0D+0x", "NaN", "Inf", "1.0E5.0", "1E99999999999999999999"}) {
    EXPECT_NE(parse_fortran_real(field, format).status, NumberStatus::ok) << field;
  }
  EXPECT_EQ(parse_fortran_real("1.0D+400", format).status, NumberStatus::overflow);
  EXPECT_EQ(parse_fortran_real("1.0+400", format).status, NumberStatus::overflow);
}

}  // namespace
}  // namespace frond
