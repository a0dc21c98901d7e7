// SPDX-License-Identifier: BSD-3-Clause
// What a channel counts: what was accepted and received, and the wait for room.
#include "loadinfo/counted_channel.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/loadinfo/virtual_network.hpp"

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
  EXPECT_EQ(first.counts().messages_sent, 1);
  EXPECT_EQ(first.counts().bytes_sent, 8);
  EXPECT_FALSE(second.poll());
  while (network.deliver()) {
  }
  EXPECT_TRUE(second.poll());
  EXPECT_EQ(second.counts().messages_received, 1);
  EXPECT_EQ(second.counts().bytes_received, 8);
  EXPECT_TRUE(first.take_room_event());
  EXPECT_FALSE(first.waits_for_room());
  TrafficCounts sum = first.counts();
  sum += second.counts();
  EXPECT_EQ(sum.messages_sent, sum.messages_received);
  EXPECT_EQ(sum.bytes_sent, sum.bytes_received);
}

}  // namespace
}  // namespace frond::test
