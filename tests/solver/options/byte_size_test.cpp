// SPDX-License-Identifier: BSD-3-Clause
// Tests parsing and formatting of sizes in bytes.
#include "solver/options/byte_size.hpp"

#include <gtest/gtest.h>

#include "frond/error.hpp"

namespace frond {
namespace {

TEST(ParseByteSize, KnowsUnitsOf1000And1024) {
  EXPECT_EQ(parse_byte_size("4096"), 4096);
  EXPECT_EQ(parse_byte_size("1.5GB"), 1500000000);
  EXPECT_EQ(parse_byte_size("1.5 gb"), 1500000000);
  EXPECT_EQ(parse_byte_size("2G"), 2000000000);
  EXPECT_EQ(parse_byte_size("800MiB"), 800 * 1048576LL);
  EXPECT_EQ(parse_byte_size("3KiB"), 3072);
  EXPECT_EQ(parse_byte_size("2TB"), 2000000000000);
  EXPECT_EQ(parse_byte_size("5B"), 5);
  EXPECT_EQ(parse_byte_size("2e9"), 2000000000);
}

TEST(ParseByteSize, RefusesWhatIsNoSize) {
  for (const char* text : {"", "GB", "0", "-1GB", "1XB", "1.5 G B x", "nan", "1e30", "inf"}) {
    EXPECT_THROW((void)parse_byte_size(text), UsageError) << text;
  }
}

TEST(FormatByteSize, PicksTheUnit) {
  EXPECT_EQ(format_byte_size(64), "64 bytes");
  EXPECT_EQ(format_byte_size(1234), "1 kB");
  EXPECT_EQ(format_byte_size(12345678), "12.3 MB");
  EXPECT_EQ(format_byte_size(999999999), "1.00 GB");
}

}  // namespace
}  // namespace frond
