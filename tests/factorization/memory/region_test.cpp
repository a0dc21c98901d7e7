// SPDX-License-Identifier: BSD-3-Clause
// Tests regions: zero, aligned, movable, and refused with a message.
#include "factorization/memory/region.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"

namespace frond::test {
namespace {

constexpr Count kHugePage = Count{2} << 20;
constexpr Count kSmall = Count{64} << 10;

TEST(Region, IsZeroAndAligned) {
  for (const Count bytes :
       {Count{1}, Count{4096}, kSmall - 1, kSmall, kHugePage - 1, kHugePage, kHugePage + 1, 3 * kHugePage + 12345}) {
    SCOPED_TRACE(bytes);
    const Region region(bytes);
    EXPECT_EQ(region.bytes(), bytes);
    const auto address = reinterpret_cast<std::uintptr_t>(region.data());
    const std::uintptr_t alignment = bytes >= kHugePage ? static_cast<std::uintptr_t>(kHugePage) : bytes >= kSmall ? 4096U : 64U;
    EXPECT_EQ(address % alignment, 0U);
    EXPECT_TRUE(std::all_of(region.data(), region.data() + bytes, [](std::byte byte) { return byte == std::byte{0}; }));
    std::memset(region.data(), 0xff, static_cast<std::size_t>(bytes));
  }
}

TEST(Region, OfNothingIsEmpty) {
  const Region region(0);
  EXPECT_EQ(region.data(), nullptr);
  EXPECT_EQ(region.bytes(), 0);
}

TEST(Region, MovesItsMemory) {
  Region first(100);
  std::byte* data = first.data();
  Region second(std::move(first));
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(second.bytes(), 100);
  Region third;
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(third.bytes(), 100);
}

TEST(Region, NamesTheBytesThatTheSystemRefuses) {
  constexpr Count kAbsurd = Count{1} << 60;
  const auto error = testing::error_of<MemoryError>([&] { const Region region(kAbsurd); });
  EXPECT_EQ(error.needed_bytes(), kAbsurd);
  EXPECT_NE(std::string(error.what()).find(std::to_string(kAbsurd)), std::string::npos) << error.what();
}

TEST(Region, ReturnsItsMemory) {
  for (int repeat = 0; repeat < 100000; ++repeat) {  // 6 TB if regions were leaked, past any address space's limit on mappings
    const Region region(64 << 20);
    ASSERT_NE(region.data(), nullptr);
  }
}

}  // namespace
}  // namespace frond::test
