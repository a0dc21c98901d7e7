// SPDX-License-Identifier: BSD-3-Clause
// Tests the snapshot, message by message.
#include "loadinfo/mechanisms/snapshot.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "frond/error.hpp"
#include "tests/loadinfo/snapshot_messages.hpp"
#include "tests/support/ranks/message_queues.hpp"

namespace frond::test {
namespace {

using Sent = CatchingSink::Sent;

const std::vector<Rank> kOthersOf0 = {1, 2};

TEST(SnapshotExchange, AsksAllOthersAndDecidesByTheirAnswers) {
  CatchingSink sink;
  SnapshotExchange exchange(0, 3, sink);
  exchange.want_to_decide(kOthersOf0);
  EXPECT_EQ(sink.take(), (Sent{{1, start(0)}, {2, start(0)}}));
  EXPECT_TRUE(exchange.is_blocked());
  exchange.on_message(2, answer(0, {2, 20}));
  EXPECT_FALSE(exchange.may_decide());
  exchange.on_message(1, answer(0, {1, 10}));
  ASSERT_TRUE(exchange.may_decide());
  EXPECT_EQ(exchange.view()[1], (Load{1, 10}));
  EXPECT_EQ(exchange.view()[2], (Load{2, 20}));

  exchange.decide(std::vector<Assignment>{{1, {5, 50}}});
  EXPECT_EQ(sink.take(), (Sent{{1, reservation({5, 50})}, {1, end(0)}, {2, end(0)}})) << "reservations first";
  EXPECT_FALSE(exchange.is_blocked());
}

TEST(SnapshotExchange, AnswersAndIsBlockedUntilTheEnd) {
  CatchingSink sink;
  SnapshotExchange exchange(1, 3, sink);
  exchange.vary({3, 30});
  exchange.on_message(0, start(0));
  EXPECT_EQ(sink.take(), (Sent{{0, answer(0, {3, 30})}}));
  EXPECT_TRUE(exchange.is_blocked());
  exchange.on_message(0, reservation({5, 50}));
  EXPECT_TRUE(exchange.is_blocked());
  exchange.on_message(0, end(0));
  EXPECT_FALSE(exchange.is_blocked());
  EXPECT_EQ(exchange.load(), (Load{8, 80}));
  exchange.task_arrived({6, 50}, {5, 50});
  EXPECT_EQ(exchange.load(), (Load{9, 80}));
}

// Both ask in round 0. Rank 1 gives way; its own request is decided in round 1, only by answers of round 1.
TEST(SnapshotExchange, GivesWayToABetterRequestAndThenGoesOn) {
  CatchingSink sink;
  SnapshotExchange exchange(1, 3, sink);
  exchange.want_to_decide(std::vector<Rank>{0, 2});
  (void)sink.take();
  exchange.on_message(2, answer(0, {1, 1}));
  exchange.on_message(0, start(0));
  EXPECT_EQ(sink.take(), (Sent{{0, answer(0, {})}}));
  exchange.on_message(2, answer(1, {2, 2}));
  exchange.on_message(0, end(0));
  EXPECT_FALSE(exchange.may_decide()) << "rank 0 has not answered in round 1";
  exchange.on_message(0, answer(1, {3, 3}));
  EXPECT_TRUE(exchange.may_decide()) << "rank 2 has, before the end of round 0 came";
  EXPECT_EQ(exchange.view()[2], (Load{2, 2}));
}

TEST(SnapshotExchange, LetsAWorseRequestWait) {
  CatchingSink sink;
  SnapshotExchange exchange(0, 3, sink);
  exchange.want_to_decide(kOthersOf0);
  (void)sink.take();
  exchange.on_message(1, start(0));
  EXPECT_EQ(sink.take(), Sent{});
  exchange.on_message(1, answer(0, {}));
  exchange.on_message(2, answer(0, {}));
  exchange.decide({});
  EXPECT_EQ(sink.take(), (Sent{{1, end(0)}, {2, end(0)}, {1, answer(1, {})}})) << "and serves it afterwards";
  EXPECT_TRUE(exchange.is_blocked());
}

TEST(SnapshotExchange, MayLoseTheRoundBetweenMayDecideAndDecide) {
  CatchingSink sink;
  SnapshotExchange exchange(1, 2, sink);
  exchange.want_to_decide(std::vector<Rank>{0});
  exchange.on_message(0, answer(0, {}));
  ASSERT_TRUE(exchange.may_decide());
  exchange.on_message(0, start(0));
  EXPECT_FALSE(exchange.may_decide());
}

TEST(SnapshotExchange, RefusesBrokenProtocols) {
  CatchingSink sink;
  SnapshotExchange exchange(0, 3, sink);
  EXPECT_THROW(exchange.on_message(1, end(0)), InternalError) << "the end of a request that was never made";
  exchange.on_message(1, start(0));
  EXPECT_THROW(exchange.on_message(1, start(0)), InternalError) << "two open requests";
  EXPECT_THROW(exchange.on_message(1, end(1)), InternalError) << "the end of another round";
}

}  // namespace
}  // namespace frond::test
