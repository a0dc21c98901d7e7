// SPDX-License-Identifier: BSD-3-Clause
// Messages between ranks to bytes and back, and bytes that are none.
#include "factorization/main_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "matrices/error.hpp"

namespace frond::test {
namespace {

template <class Message>
Message sent(const Message& message) {
  const std::vector<std::byte> bytes = encode(message);
  return std::get<Message>(decode_main_message(bytes));
}

const AnnounceMessage kAnnouncement{.task = 7, .announcement = {{{3, 1, 4}, {1, 5, 9}}, {{}, {}}, {{26}, {}}}};

TEST(MainMessage, ArrivesAsItWasSent) {
  EXPECT_EQ(sent(kAnnouncement), kAnnouncement);
  EXPECT_EQ(sent(AnnounceMessage{}), AnnounceMessage{});
  EXPECT_EQ(sent(FetchMessage{123456789}), FetchMessage{123456789});
  EXPECT_EQ(sent(DoneMessage{}), DoneMessage{});
  const FailureMessage failure{{.origin = 3,
                                .kind = Failure::Kind::memory,
                                .needed_bytes = Count{1} << 40,
                                .limit_bytes = 17,
                                .variable = 5,
                                .text = "no room"}};
  EXPECT_EQ(sent(failure), failure);
}

TEST(MainMessage, CarriesAPieceOfAnOutput) {
  const std::vector<std::byte> piece{std::byte{1}, std::byte{2}, std::byte{3}};
  const std::vector<std::byte> bytes = encode(OutputMessage{.task = 5, .offset = Count{1} << 33, .bytes = piece});
  const auto message = std::get<OutputMessage>(decode_main_message(bytes));
  EXPECT_EQ(message.task, 5);
  EXPECT_EQ(message.offset, Count{1} << 33);
  EXPECT_TRUE(std::equal(message.bytes.begin(), message.bytes.end(), piece.begin(), piece.end()));
}

TEST(MainMessage, CutOrLengthenedIsAnError) {
  const std::vector<std::byte> bytes = encode(kAnnouncement);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW((void)decode_main_message(std::span(bytes).first(length)), InternalError) << length;
  }
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW((void)decode_main_message(longer), InternalError);
}

TEST(MainMessage, OfUnknownKindOrImpossibleLengthIsAnError) {
  EXPECT_THROW((void)decode_main_message(std::vector<std::byte>{std::byte{99}}), InternalError);
  std::vector<std::byte> bytes = encode(kAnnouncement);
  std::fill_n(bytes.begin() + 1 + sizeof(TaskId), sizeof(Count), std::byte{0x7f});  // the number of tops
  EXPECT_THROW((void)decode_main_message(bytes), InternalError);
  std::fill_n(bytes.begin() + 1 + sizeof(TaskId), sizeof(Count), std::byte{0xff});  // negative
  EXPECT_THROW((void)decode_main_message(bytes), InternalError);
}

}  // namespace
}  // namespace frond::test
