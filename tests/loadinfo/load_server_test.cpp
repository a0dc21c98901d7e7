// SPDX-License-Identifier: BSD-3-Clause
// Tests serving a load exchange without a thread: messages, room, counters, and the choice between server and thread.
#include "loadinfo/load_server.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "frond/error.hpp"
#include "loadinfo/load_thread.hpp"
#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {
namespace {

const std::vector<Rank> kRank0 = {0};
const std::vector<Rank> kRank1 = {1};

TEST(LoadServer, MeasuresBlockingFromRequestToDecision) {
  VirtualNetwork network(2, 1, 1000, 1);
  double now = 0;
  LoadServer asking(network.channel(0, 0), {.mechanism = LoadMechanism::snapshot, .threshold = {}}, [&now] { return now; });
  LoadServer asked(network.channel(0, 1), {.mechanism = LoadMechanism::snapshot, .threshold = {}}, [&now] { return now; });

  now = 10;
  asking.with_exchange([](LoadExchange& exchange) { exchange.want_to_decide(kRank1); });
  now = 11;
  network.deliver();
  EXPECT_EQ(asked.serve(), 1);
  now = 12;
  EXPECT_EQ(asking.counts().blocked_seconds, 2);  // still blocked
  network.deliver();
  EXPECT_EQ(asking.serve(), 1);
  now = 13;
  asking.with_exchange([](LoadExchange& exchange) { exchange.decide({}); });
  now = 15;
  network.deliver();
  EXPECT_EQ(asked.serve(), 1);
  now = 20;
  EXPECT_EQ(asking.counts().blocked_seconds, 3);
  EXPECT_EQ(asked.counts().blocked_seconds, 4);
}

TEST(LoadServer, CountsWhatIsSentAndReceived) {
  VirtualNetwork network(2, 1, 1000, 1);
  LoadServer first(network.channel(0, 0), {.mechanism = LoadMechanism::increments, .threshold = {}});
  LoadServer second(network.channel(0, 1), {.mechanism = LoadMechanism::increments, .threshold = {}});
  EXPECT_EQ(first.with_exchange([](LoadExchange& exchange) {
    exchange.vary({1, 1});
    exchange.vary({2, 2});
    return exchange.load();
  }),
            (Load{3, 3}));
  while (network.deliver()) {
  }
  EXPECT_EQ(second.serve(), 2);
  EXPECT_EQ(first.counts().sent.num_messages(LoadMessageKind::update), 2);
  EXPECT_EQ(second.counts().num_received, 2);
  EXPECT_EQ(second.counts().num_wake_ups, 0);
}

TEST(LoadServer, SendsWhatFoundNoRoomWhenThereIs) {
  VirtualNetwork network(2, 1, 1, 1);  // room for one message
  LoadServer first(network.channel(0, 0), {.mechanism = LoadMechanism::naive, .threshold = {}});
  LoadServer second(network.channel(0, 1), {.mechanism = LoadMechanism::naive, .threshold = {}});
  first.with_exchange([](LoadExchange& exchange) {
    for (int k = 0; k < 5; ++k) {
      exchange.vary({1, 0});
    }
  });
  int num_served = 0;
  while (network.deliver()) {
    num_served += second.serve();
    first.serve();
  }
  EXPECT_EQ(num_served, 5);
  EXPECT_EQ(second.with_exchange([](const LoadExchange& exchange) { return exchange.view()[0]; }), (Load{5, 0}));
}

TEST(MakeLoadService, GivesAThreadOnlyWhereItIsWantedAndAllowed) {
  VirtualNetwork network(1, 1, 1000, 1);
  const auto has_thread = [&network](bool wanted, bool allowed) {
    const auto service = make_load_service({.use_thread = wanted}, network.channel(0, 0), {}, allowed);
    return dynamic_cast<LoadThread*>(service.get()) != nullptr;
  };
  EXPECT_TRUE(has_thread(true, true));
  EXPECT_FALSE(has_thread(true, false));
  EXPECT_FALSE(has_thread(false, true));
}

TEST(MakeLoadService, RefusesAPeriodThatCannotBe) {
  VirtualNetwork network(1, 1, 1000, 1);
  const auto make = [&network](int period) {
    return make_load_service({.shortest_period = std::chrono::microseconds(period)}, network.channel(0, 0), {}, true);
  };
  EXPECT_THROW(make(0), UsageError);
  EXPECT_NO_THROW(make(10000)) << "longer than the other period is by default";
}

}  // namespace
}  // namespace frond::test
