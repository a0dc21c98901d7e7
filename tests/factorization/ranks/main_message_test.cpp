// SPDX-License-Identifier: BSD-3-Clause
// Tests encoding and decoding messages between ranks, and bytes that are not messages.
#include "factorization/ranks/main_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/byte_stream.hpp"

namespace frond::test {
namespace {

template <class Message>
Message sent(const Message& message) {
  const std::vector<std::byte> bytes = encode(message);
  return std::get<Message>(decode_main_message(bytes));
}

template <class Message>
void expect_arrives(const Message& message) {
  EXPECT_EQ(sent(message), message);
}

template <class... Messages>
void expect_arrive(const Messages&... messages) {
  (expect_arrives(messages), ...);
}

const AnnounceMessage kAnnouncement{
    {.task = 7, .master = 3, .announcement = {{{{3, 1, 4}, {1, 5, 9}}, {{}, {}}, {{26}, {}}}, {{2, 0, 17}, {5, 17, 40}}}}};

TEST(MainMessage, ArrivesAsItWasSent) {
  const AnnounceMessage with_right_sides{kAnnouncement.output, {std::byte{1}, std::byte{2}, std::byte{3}}};
  expect_arrive(
      kAnnouncement, AnnounceMessage{}, with_right_sides,
      SlaveTaskMessage{{.task = 9, .shares = {{1, 0, 3}}, .children = {kAnnouncement.output, kAnnouncement.output}}},
      SlaveAnswerMessage{.task = 4, .is_accepted = true, .needed_bytes = 3, .free_bytes = Count{1} << 50},
      FreeMemoryMessage{.task = 5, .free_bytes = 77}, RefusalEndMessage{.task = 6},
      SettleMessage{.task = 123456789, .stands = true},
      RowMapMessage{{3, PartRole::slave}, {2, {{0, 0, 5}, {4, 5, 6}}, 7, {0, 3}, {3, 2}}},
      PauseMessage{.number = 3, .is_on = false, .leaving = {1, 4}},
      RestMessage{2, Count{1} << 40, {3, 0, 5}, {0, 7, 9, 10}, {{8, {{1, 0, 2}, {0, 2, 9}}}, {9, {{2, 0, 1}}}}, {4, 6}, 99},
      RecordMessage{{std::byte{1}, std::byte{9}}},
      StealMessage{.thief = 4, .free_bytes = Count{1} << 41, .pace = {5, 1300}, .num_seen = 17, .has_met_dry = true},
      GrantMessage{{31, 7}},
      PoolRequestMessage{.free_bytes = 5, .done = {.num_units = 3, .seconds = 0.5, .seconds_with_overhead = 0.75}},
      GivenMessage{{2, 9}});
  EXPECT_NE(sent(kAnnouncement), with_right_sides);
  EXPECT_EQ(sent(StuckMessage{7}).number, 7);
}

TEST(MainMessage, RefusesAnUnknownKindOfPace) { EXPECT_THROW((void)sent(StealMessage{.pace = {kNumPaceKinds, 1}}), InternalError); }

TEST(MainMessage, CarriesTheNumberOfTheRecord) {
  EXPECT_EQ(record_of_main_message(encode(kAnnouncement)), 0);
  EXPECT_EQ(record_of_main_message(encode(kAnnouncement, 77)), 77);
}

TEST(MainMessage, CarriesAPieceOfAMovingPart) {
  const std::vector<std::byte> entries(37, std::byte{5});
  const MoveMessage message{
      .node = 6, .role = PartRole::slave, .total_bytes = 100, .described = {std::byte{8}}, .num_bytes = 37, .bytes = entries};
  const std::vector<std::byte> bytes = encode(message);
  const auto read = std::get<MoveMessage>(decode_main_message(bytes));
  EXPECT_EQ(read.node, 6);
  EXPECT_EQ(read.role, PartRole::slave);
  EXPECT_EQ(read.total_bytes, 100);
  EXPECT_EQ(read.described, message.described);
  EXPECT_EQ(read.num_bytes, 37);
  EXPECT_TRUE(std::equal(read.bytes.begin(), read.bytes.end(), entries.begin(), entries.end()));
}

TEST(MainMessage, BeginsWithItsKind) {
  const auto name_of = [](const MainMessage& message) {
    return main_message_name(std::to_integer<std::size_t>(encode(message)[0]));
  };
  EXPECT_EQ(name_of(kAnnouncement), "announce");
  EXPECT_EQ(name_of(SlaveTaskMessage{}), "slave_task");
  EXPECT_EQ(name_of(SlaveAnswerMessage{}), "slave_answer");
  EXPECT_EQ(name_of(FreeMemoryMessage{}), "free_memory");
  EXPECT_EQ(name_of(RefusalEndMessage{}), "refusal_end");
  EXPECT_EQ(name_of(SettleMessage{}), "settle");
  EXPECT_EQ(name_of(RowMapMessage{}), "row_map");
  EXPECT_EQ(name_of(RowsMessage{}), "rows");
  EXPECT_EQ(name_of(FrontMessage{}), "front");
  EXPECT_EQ(name_of(PauseMessage{}), "pause");
  EXPECT_EQ(name_of(RestMessage{}), "rest");
  EXPECT_EQ(name_of(StuckMessage{}), "stuck");
  EXPECT_EQ(name_of(RecordMessage{}), "record");
  EXPECT_EQ(name_of(MoveMessage{}), "move");
  EXPECT_EQ(name_of(StealMessage{}), "steal");
  EXPECT_EQ(name_of(GrantMessage{}), "grant");
  EXPECT_EQ(name_of(PoolRequestMessage{}), "pool_request");
  EXPECT_EQ(name_of(GivenMessage{}), "given");
  EXPECT_EQ(main_message_name(kEndMessages.done), "done");
  EXPECT_EQ(main_message_name(kEndMessages.failure), "failure");
}

TEST(MainMessage, CarriesBytesAligned) {
  const std::vector<std::byte> piece{std::byte{1}, std::byte{2}, std::byte{3}};
  const std::vector<std::byte> rows = encode(RowsMessage{.child = 5,
                                                         .source = PartRole::slave,
                                                         .offset = Count{1} << 33,
                                                         .num_bytes = static_cast<Count>(piece.size()),
                                                         .bytes = piece});
  const auto message = std::get<RowsMessage>(decode_main_message(rows));
  EXPECT_EQ(message.child, 5);
  EXPECT_EQ(message.source, PartRole::slave);
  EXPECT_EQ(message.target, PartRole::master);
  EXPECT_EQ(message.offset, Count{1} << 33);
  EXPECT_TRUE(std::equal(message.bytes.begin(), message.bytes.end(), piece.begin(), piece.end()));

  const std::vector<std::byte> front = encode(FrontMessage{{8, PartRole::slave}, 3, {5, 7}, 16, piece});
  const auto part = std::get<FrontMessage>(decode_main_message(front));
  EXPECT_EQ(part.part, (FrontPart{8, PartRole::slave}));
  EXPECT_TRUE(std::equal(part.body.begin(), part.body.end(), piece.begin(), piece.end()));
  EXPECT_EQ((part.body.data() - front.data()) % static_cast<std::ptrdiff_t>(kMessageAlignment), 0);
}

// Cut to `least` bytes or more, or with bytes behind its end, the message is none.
void expect_refused_unless_whole(std::vector<std::byte> bytes, std::size_t least, std::size_t num_more) {
  for (std::size_t length = least; length < bytes.size(); ++length) {
    EXPECT_THROW((void)decode_main_message(std::span(bytes).first(length)), InternalError) << length;
  }
  bytes.resize(bytes.size() + num_more);
  EXPECT_THROW((void)decode_main_message(bytes), InternalError);
}

TEST(MainMessage, CutOrLengthenedIsAnError) {
  const std::vector<std::byte> without = encode(kAnnouncement);
  expect_refused_unless_whole(without, 0, 1);
  const AnnounceMessage with_right_sides{kAnnouncement.output, std::vector<std::byte>(40, std::byte{7})};
  expect_refused_unless_whole(encode(with_right_sides), without.size() + 1, 16);
}

TEST(MainMessage, OfUnknownKindOrImpossibleLengthIsAnError) {
  EXPECT_THROW((void)decode_main_message(std::vector<std::byte>{std::byte{99}}), InternalError);
  std::vector<std::byte> bytes = encode(kAnnouncement);
  constexpr std::size_t kBefore = 1 + sizeof(Index) + sizeof(TaskId) + sizeof(Rank);
  std::fill_n(bytes.begin() + kBefore, sizeof(Count), std::byte{0x7f});  // the number of tops
  EXPECT_THROW((void)decode_main_message(bytes), InternalError);
  std::fill_n(bytes.begin() + kBefore, sizeof(Count), std::byte{0xff});  // negative
  EXPECT_THROW((void)decode_main_message(bytes), InternalError);
}

}  // namespace
}  // namespace frond::test
