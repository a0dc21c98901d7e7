// SPDX-License-Identifier: BSD-3-Clause
// Tests that checksums depend on every bit, the order and the length, but not on the division into pieces.
#include "matrices/checksum.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace frond {
namespace {

std::vector<std::byte> random_bytes(std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes(length);
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(random());
  }
  return bytes;
}

std::uint64_t sum_of(std::span<const std::byte> bytes) {
  Checksum checksum;
  checksum.add(bytes);
  return checksum.value();
}

TEST(Checksum, DoesNotDependOnThePieces) {
  const std::vector<std::byte> bytes = random_bytes(1000, 1);
  std::mt19937 random(2);
  for (int repetition = 0; repetition < 50; ++repetition) {
    Checksum checksum;
    for (std::span<const std::byte> rest(bytes); !rest.empty();) {
      const std::size_t length = std::min<std::size_t>(random() % 20, rest.size());
      checksum.add(rest.first(length));
      rest = rest.subspan(length);
    }
    EXPECT_EQ(checksum.value(), sum_of(bytes));
  }
}

TEST(Checksum, NoticesEveryBit) {
  std::vector<std::byte> bytes = random_bytes(61, 3);
  const std::uint64_t sum = sum_of(bytes);
  for (std::byte& byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      byte ^= std::byte{1} << bit;
      EXPECT_NE(sum_of(bytes), sum);
      byte ^= std::byte{1} << bit;
    }
  }
}

TEST(Checksum, NoticesOrderAndLength) {
  const std::vector<std::byte> bytes = random_bytes(64, 4);
  std::vector<std::byte> exchanged = bytes;
  std::swap_ranges(exchanged.begin(), exchanged.begin() + 8, exchanged.begin() + 24);
  EXPECT_NE(sum_of(exchanged), sum_of(bytes));
  std::set<std::uint64_t> sums;
  for (std::size_t length = 0; length <= 40; ++length) {
    sums.insert(sum_of(std::vector<std::byte>(length)));  // of zeros
  }
  EXPECT_EQ(sums.size(), 41U);
}

}  // namespace
}  // namespace frond
