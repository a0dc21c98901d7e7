// SPDX-License-Identifier: BSD-3-Clause
// Tests that virtual time goes forward, and that messages take as long as their length requires.
#include "tests/support/ranks/timed_network.hpp"

#include <gtest/gtest.h>

#include <string>

namespace frond::test {
namespace {

TEST(EventQueue, LetsEventsHappenInOrder) {
  EventQueue events;
  std::string order;
  events.plan(2, [&] { order += 'c'; });
  events.plan(1, [&] {
    order += 'a';
    events.plan(1, [&] { order += 'b'; });
    events.plan(0, [&] { order += "; too late, hence now: "; });
  });
  events.plan(2, [&] { order += 'd'; });
  while (events.run_next()) {
  }
  EXPECT_EQ(order, "ab; too late, hence now: cd");
  EXPECT_EQ(events.now(), 2);
}

TEST(TimedNetwork, TakesLatencyAndOneMessageAfterTheOther) {
  EventQueue events;
  std::string arrivals;
  const TimedNetworkOptions options{.latency_seconds = 1, .bytes_per_second = 10};
  TimedNetwork network(
      3, 2, events,
      [&](int number, Rank rank) {
        arrivals +=
            std::to_string(number) + " to " + std::to_string(rank) + " at " + std::to_string(events.now()).substr(0, 3) + "; ";
      },
      options);
  EXPECT_FALSE(network.channel(1, 2).poll());
  EXPECT_TRUE(network.channel(0, 0).send(1, MessageBody::ghost(20)));
  EXPECT_TRUE(network.channel(1, 0).send(2, MessageBody::ghost(10)));
  EXPECT_TRUE(network.channel(1, 1).send(2, MessageBody::ghost(5)));
  while (events.run_next()) {
  }
  EXPECT_EQ(arrivals, "1 to 2 at 1.5; 0 to 1 at 3.0; 1 to 2 at 4.0; ");
  EXPECT_EQ(network.channel(0, 1).poll()->from(), 0);
  EXPECT_EQ(network.channel(1, 2).poll()->num_bytes(), 5);
  EXPECT_EQ(network.channel(1, 2).poll()->num_bytes(), 10);
  EXPECT_FALSE(network.channel(1, 2).poll());
}

}  // namespace
}  // namespace frond::test
