// SPDX-License-Identifier: BSD-3-Clause
// Tests load messages through a channel: counted and in order, whether the channel is full or not.
#include "loadinfo/channel_sink.hpp"

#include <gtest/gtest.h>

#include "frond/error.hpp"
#include "loadinfo/mechanisms/increments.hpp"
#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {
namespace {

TEST(ChannelSink, CountsAndKeepsTheOrderWhileTheChannelIsFull) {
  VirtualNetwork network(2, 1, 4, 1);
  ChannelSink sink(network.channel(0, 0));
  for (Count ticket = 0; ticket < 20; ++ticket) {
    sink.send(1, {.kind = LoadMessageKind::start, .ticket = ticket});
  }
  EXPECT_TRUE(sink.is_waiting());
  EXPECT_EQ(sink.counts().num_messages(LoadMessageKind::start), 20);
  EXPECT_EQ(sink.counts().total_bytes(), 40);

  Count next = 0;
  while (network.deliver()) {
    if (network.channel(0, 0).take_room_event()) {
      sink.on_room();
    }
    EXPECT_EQ(decode(network.channel(0, 1).poll()->bytes()).ticket, next++);
  }
  EXPECT_EQ(next, 20);
  EXPECT_FALSE(sink.is_waiting());
}

TEST(ServeLoadMessages, HandsOverWhatHasComeUpToALimit) {
  VirtualNetwork network(2, 1, 1000, 1);
  ChannelSink sink_of_0(network.channel(0, 0));
  ChannelSink sink_of_1(network.channel(0, 1));
  IncrementsExchange sender(0, 2, sink_of_0, {});
  IncrementsExchange receiver(1, 2, sink_of_1, {});
  for (int task = 0; task < 3; ++task) {
    sender.vary({1, 10});
  }
  EXPECT_EQ(serve_load_messages(network.channel(0, 1), receiver, 10), 0);
  while (network.deliver()) {
  }
  EXPECT_EQ(serve_load_messages(network.channel(0, 1), receiver, 2), 2);
  EXPECT_EQ(receiver.view()[0], (Load{2, 20}));
  EXPECT_EQ(serve_load_messages(network.channel(0, 1), receiver, 10), 1);
  EXPECT_EQ(receiver.view()[0], (Load{3, 30}));
}

TEST(ServeLoadMessages, RefusesWhatIsNoLoadMessage) {
  VirtualNetwork network(2, 1, 1000, 1);
  ChannelSink sink(network.channel(0, 1));
  IncrementsExchange receiver(1, 2, sink, {});
  ASSERT_TRUE(network.channel(0, 0).send(1, MessageBody::ghost(5)));
  network.deliver();
  EXPECT_THROW(serve_load_messages(network.channel(0, 1), receiver, 1), InternalError);
}

}  // namespace
}  // namespace frond::test
