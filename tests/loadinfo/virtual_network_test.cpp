// SPDX-License-Identifier: BSD-3-Clause
// Tests that the virtual network keeps what the Channel port promises, and promises no more.
#include "tests/support/ranks/virtual_network.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <type_traits>
#include <vector>

namespace frond::test {
namespace {

static_assert(std::is_nothrow_move_constructible_v<ReceivedMessage> && !std::is_copy_constructible_v<ReceivedMessage>);

constexpr Count kLargeBuffer = 1 << 20;

bool send_byte(Channel& channel, Rank to, int value) {
  const std::array<std::byte, 1> bytes = {static_cast<std::byte>(value)};
  return channel.send(to, std::span<const std::byte>(bytes));
}

TEST(VirtualNetwork, CarriesBytesAndGhosts) {
  VirtualNetwork network(2, 1, kLargeBuffer, 1);
  const std::array<std::byte, 2> bytes = {std::byte{7}, std::byte{9}};
  ASSERT_TRUE(network.channel(0, 0).send(1, std::span<const std::byte>(bytes)));
  ASSERT_TRUE(network.channel(0, 0).send(1, MessageBody::ghost(1000)));
  EXPECT_FALSE(network.channel(0, 1).poll().has_value());
  while (network.deliver()) {
  }
  EXPECT_FALSE(network.is_empty());
  const auto real = network.channel(0, 1).poll();
  const auto ghost = network.channel(0, 1).poll();
  ASSERT_TRUE(real && ghost);
  EXPECT_EQ(real->from(), 0);
  EXPECT_FALSE(real->has_ghost());
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), real->bytes().begin(), real->bytes().end()));
  EXPECT_TRUE(ghost->has_ghost());
  EXPECT_EQ(ghost->num_bytes(), 1000);
  EXPECT_TRUE(ghost->bytes().empty());
  EXPECT_TRUE(network.is_empty());
}

TEST(VirtualNetwork, RefusesWhenFullAndSaysOnceWhenThereIsRoom) {
  VirtualNetwork network(2, 1, 10, 1);
  Channel& sender = network.channel(0, 0);
  ASSERT_TRUE(sender.send(1, MessageBody::ghost(8)));
  EXPECT_TRUE(sender.send(1, MessageBody::ghost(2)));
  EXPECT_FALSE(sender.send(1, MessageBody::ghost(1)));
  EXPECT_FALSE(sender.take_room_event());
  EXPECT_EQ(network.num_refused(), 1);
  EXPECT_TRUE(network.deliver());
  EXPECT_TRUE(sender.take_room_event());
  EXPECT_FALSE(sender.take_room_event());
  EXPECT_TRUE(network.deliver());
  EXPECT_FALSE(sender.take_room_event()) << "nothing was refused since the last room event";
  EXPECT_TRUE(sender.send(1, MessageBody::ghost(11))) << "an empty buffer accepts any length";
}

// Returns the orders in which two messages arrive over many seeds: true if the first sent arrives first.
std::set<bool> orders(int second_channel, Rank second_sender) {
  std::set<bool> seen;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    VirtualNetwork network(3, 2, kLargeBuffer, seed);
    EXPECT_TRUE(send_byte(network.channel(0, 0), 1, 1));
    EXPECT_TRUE(send_byte(network.channel(second_channel, second_sender), 1, 2));
    network.deliver();
    const auto first = network.channel(0, 1).poll();
    seen.insert(first.has_value() && first->bytes()[0] == std::byte{1});
  }
  return seen;
}

TEST(VirtualNetwork, KeepsTheOrderOfAPairOnly) {
  EXPECT_EQ(orders(0, 0), std::set<bool>{true}) << "one pair, one channel";
  EXPECT_EQ(orders(1, 0), (std::set<bool>{false, true})) << "one pair, two channels";
  EXPECT_EQ(orders(0, 2), (std::set<bool>{false, true})) << "two pairs, one channel";
}

TEST(VirtualNetwork, RepeatsItselfForTheSameSeed) {
  std::array<std::vector<Rank>, 2> senders;
  for (std::vector<Rank>& seen : senders) {
    VirtualNetwork network(8, 1, kLargeBuffer, 42);
    for (Rank from = 1; from < 8; ++from) {
      EXPECT_TRUE(send_byte(network.channel(0, from), 0, 0));
    }
    while (network.deliver()) {
      seen.push_back(network.channel(0, 0).poll()->from());
    }
  }
  EXPECT_EQ(senders[0].size(), 7U);
  EXPECT_EQ(senders[0], senders[1]);
}

}  // namespace
}  // namespace frond::test
