// SPDX-License-Identifier: BSD-3-Clause
// Tests what a channel counts: messages accepted and received, and the wait for room.
#include "loadinfo/messages/counted_channel.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {
namespace {

TEST(CountedChannel, CountsWhatWasAcceptedAndReceived) {
  VirtualNetwork network(2, 1, 10, 1);
  CountedChannel first(network.channel(0, 0));
  CountedChannel second(network.channel(0, 1));
  const std::vector<std::byte> body(8);
  EXPECT_EQ(first.rank(), 0);
  EXPECT_EQ(first.num_ranks(), 2);
  EXPECT_TRUE(first.send(1, std::span<const std::byte>(body)));
  EXPECT_FALSE(first.waits_for_room());
  EXPECT_FALSE(first.send(1, std::span<const std::byte>(body)));
  EXPECT_TRUE(first.waits_for_room());
  EXPECT_EQ(first.counts().sent, (MessageCounts{1, 8}));
  EXPECT_FALSE(second.poll());
  while (network.deliver()) {
  }
  EXPECT_TRUE(second.poll());
  EXPECT_EQ(second.counts().received, (MessageCounts{1, 8}));
  EXPECT_TRUE(first.take_room_event());
  EXPECT_FALSE(first.waits_for_room());
  TrafficCounts sum = first.counts();
  sum += second.counts();
  EXPECT_EQ(sum.sent, sum.received);
}

TEST(CountedChannel, CountsWhatWasSentByItsFirstByte) {
  VirtualNetwork network(2, 1, 1000, 1);
  CountedChannel channel(network.channel(0, 0));
  const auto send = [&channel](std::size_t kind, std::size_t length) {
    std::vector<std::byte> body(length);
    body[0] = static_cast<std::byte>(kind);
    EXPECT_TRUE(channel.send(1, std::span<const std::byte>(body)));
  };
  send(3, 8);
  const TrafficCounts earlier = channel.counts();
  send(3, 5);
  send(0, 2);
  send(TrafficCounts::kMostKinds, 7);  // an unknown kind
  EXPECT_TRUE(channel.send(1, MessageBody::ghost(9)));
  EXPECT_EQ(channel.counts().sent, (MessageCounts{5, 31}));
  EXPECT_EQ(channel.counts().sent_by_kind[3], (MessageCounts{2, 13}));
  EXPECT_EQ(channel.counts().sent_by_kind[0], (MessageCounts{1, 2}));
  TrafficCounts later = channel.counts();
  later -= earlier;
  EXPECT_EQ(later.sent, (MessageCounts{4, 23}));
  EXPECT_EQ(later.sent_by_kind[3], (MessageCounts{1, 5}));
}

}  // namespace
}  // namespace frond::test
