// SPDX-License-Identifier: BSD-3-Clause
// Tests that messages refused by the channel wait in order.
#include "loadinfo/messages/outbox.hpp"

#include <gtest/gtest.h>

#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {
namespace {

TEST(Outbox, KeepsTheOrderThroughRefusals) {
  VirtualNetwork network(2, 1, 8, 1);
  Outbox outbox(network.channel(0, 0));
  for (int i = 0; i < 5; ++i) {
    outbox.send(1, std::vector<std::byte>(i == 2 ? 20 : 5, std::byte(i)));
  }
  EXPECT_EQ(outbox.size(), 4);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(network.deliver());
    if (network.channel(0, 0).take_room_event()) {
      outbox.pump();
    }
    const auto message = network.channel(0, 1).poll();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->bytes()[0], std::byte(i));
    EXPECT_EQ(message->num_bytes(), i == 2 ? 20 : 5);
  }
  EXPECT_TRUE(outbox.empty());
  EXPECT_TRUE(network.is_empty());
}

}  // namespace
}  // namespace frond::test
