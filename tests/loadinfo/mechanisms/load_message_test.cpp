// SPDX-License-Identifier: BSD-3-Clause
// Tests that load messages survive encoding and decoding, and that other bytes are rejected.
#include "loadinfo/mechanisms/load_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"

namespace frond::test {
namespace {

constexpr Count kMostBytes = std::numeric_limits<Count>::max();

// Returns one message of each kind, with every field that the kind uses different from its default.
std::vector<LoadMessage> one_of_each() {
  using Kind = LoadMessageKind;
  return {{.kind = Kind::update, .load = {-1.5e300, kMostBytes}, .pace = {kNumPaceKinds - 1, kMostBytes}},
          {.kind = Kind::reservation, .load = {3, -kMostBytes - 1}},
          {.kind = Kind::master_to_all, .assignments = {{0, {1, 2}}, {std::numeric_limits<Rank>::max(), {-3, -4}}}},
          {.kind = Kind::no_more_master},
          {.kind = Kind::start, .ticket = kMostBytes},
          {.kind = Kind::answer, .ticket = 128, .load = {5, 6}, .pace = {3, 1300}},
          {.kind = Kind::end, .ticket = 1},
          {.kind = Kind::revoke, .ticket = 127},
          {.kind = Kind::yield, .ticket = 16384}};
}

TEST(LoadMessage, SurvivesTheWayThroughBytes) {
  ASSERT_EQ(one_of_each().size(), static_cast<std::size_t>(kNumLoadMessageKinds));
  for (const LoadMessage& message : one_of_each()) {
    EXPECT_EQ(decode(encode(message)), message) << to_string(message.kind);
  }
}

TEST(LoadMessage, IsShort) {
  EXPECT_EQ(encode({.kind = LoadMessageKind::no_more_master}).size(), 1U);
  EXPECT_EQ(encode({.kind = LoadMessageKind::start, .ticket = 127}).size(), 2U);
  EXPECT_EQ(encode({.kind = LoadMessageKind::answer, .ticket = 300, .load = {1e9, 1 << 20}}).size(), 17U);
}

// The bytes are the same on every machine.
TEST(LoadMessage, HasBytesThatCanBeWrittenDown) {
  const std::vector<std::byte> bytes =
      encode({.kind = LoadMessageKind::answer, .ticket = 300, .load = {-2, -3}, .pace = {6, 1000}});
  const std::vector<int> expected = {5, 0xAC, 0x02, 0, 0, 0, 0, 0, 0, 0, 0xC0, 5, 6, 0xE8, 0x07};
  ASSERT_EQ(bytes.size(), expected.size());
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    EXPECT_EQ(std::to_integer<int>(bytes[k]), expected[k]) << "byte " << k;
  }
}

TEST(LoadMessage, RefusesBytesThatEndEarlyOrLate) {
  for (const LoadMessage& message : one_of_each()) {
    std::vector<std::byte> bytes = encode(message);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_THROW((void)decode(std::span(bytes).first(length)), InternalError) << to_string(message.kind) << ", " << length;
    }
    bytes.push_back(std::byte{0});
    EXPECT_THROW((void)decode(bytes), InternalError) << to_string(message.kind);
  }
}

std::vector<std::byte> bytes_of(const std::vector<int>& numbers) {
  std::vector<std::byte> bytes(numbers.size());
  std::transform(numbers.begin(), numbers.end(), bytes.begin(), [](int number) { return static_cast<std::byte>(number); });
  return bytes;
}

std::string refusal_of(const std::vector<int>& numbers) {
  return testing::complaint_of<InternalError>([&] { (void)decode(bytes_of(numbers)); });
}

TEST(LoadMessage, SaysWhatIsWrong) {
  EXPECT_NE(refusal_of({9}).find("unknown kind 9"), std::string::npos);
  EXPECT_NE(refusal_of({4, 0x80}).find("ends too early"), std::string::npos);
  EXPECT_NE(refusal_of({3, 1, 2}).find("2 bytes follow a complete message of kind no_more_master"), std::string::npos);
  EXPECT_NE(refusal_of({4, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2}).find("more than 64 bits"), std::string::npos);
  EXPECT_NE(refusal_of({4, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}).find("the ticket"), std::string::npos);
  EXPECT_NE(refusal_of({0, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F, 0}).find("not finite"), std::string::npos);
  EXPECT_NE(refusal_of({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kNumPaceKinds, 0}).find("unknown kind 48 of work"), std::string::npos);
  EXPECT_NE(refusal_of({2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}).find("number of slaves"), std::string::npos);
  EXPECT_NE(refusal_of({2, 1, 255, 255, 255, 255, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0}).find("rank of a slave"), std::string::npos);
}

// Whatever the bytes are, decoding ends, and what it accepts is a message.
TEST(LoadMessage, NoisyBytesAreRefusedOrMeanSomething) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  int num_accepted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<std::byte> bytes = encode(one_of_each()[random() % kNumLoadMessageKinds]);
    bytes[random() % bytes.size()] ^= static_cast<std::byte>(1U << random() % 8);
    try {
      const LoadMessage message = decode(bytes);
      EXPECT_EQ(decode(encode(message)), message);
      ++num_accepted;
    } catch (const InternalError&) {
    }
  }
  EXPECT_GT(num_accepted, 0);
  EXPECT_LT(num_accepted, 20000);
}

TEST(LoadMessageCounts, AddUp) {
  LoadMessageCounts counts;
  counts.add(LoadMessageKind::start, 2);
  counts.add(LoadMessageKind::start, 3);
  counts.add(LoadMessageKind::end, 4);
  LoadMessageCounts all = counts;
  all += counts;
  EXPECT_EQ(counts.num_messages(LoadMessageKind::start), 2);
  EXPECT_EQ(all.num_messages(LoadMessageKind::start), 4);
  EXPECT_EQ(all.num_messages(LoadMessageKind::update), 0);
  EXPECT_EQ(all.total_messages(), 6);
  EXPECT_EQ(all.total_bytes(), 18);
}

}  // namespace
}  // namespace frond::test
