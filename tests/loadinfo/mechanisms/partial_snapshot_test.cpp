// SPDX-License-Identifier: BSD-3-Clause
// Tests the partial snapshot, message by message.
#include "loadinfo/mechanisms/partial_snapshot.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "frond/error.hpp"
#include "tests/loadinfo/snapshot_messages.hpp"
#include "tests/support/ranks/message_queues.hpp"

namespace frond::test {
namespace {

using Sent = CatchingSink::Sent;
using Kind = LoadMessageKind;

LoadMessage revoke(Count ticket) { return {.kind = Kind::revoke, .ticket = ticket}; }
LoadMessage yield(Count ticket) { return {.kind = Kind::yield, .ticket = ticket}; }

TEST(PartialSnapshotExchange, AsksItsCandidatesOnly) {
  CatchingSink sink;
  PartialSnapshotExchange exchange(0, 4, sink);
  exchange.want_to_decide(std::vector<Rank>{1, 3});
  EXPECT_EQ(sink.take(), (Sent{{1, start(1)}, {3, start(1)}}));
  exchange.on_message(3, answer(1, {3, 30}));
  EXPECT_FALSE(exchange.may_decide());
  exchange.on_message(1, answer(1, {1, 10}));
  ASSERT_TRUE(exchange.may_decide());
  EXPECT_EQ(exchange.view()[3], (Load{3, 30}));
  exchange.decide(std::vector<Assignment>{{3, {5, 50}}});
  EXPECT_EQ(sink.take(), (Sent{{3, reservation({5, 50})}, {1, end(1)}, {3, end(1)}})) << "reservations first";
  EXPECT_FALSE(exchange.is_blocked());
}

TEST(PartialSnapshotExchange, IsHeldUntilTheEndAndThenServesTheBestThatWaits) {
  CatchingSink sink;
  PartialSnapshotExchange exchange(3, 4, sink);
  exchange.vary({1, 10});
  exchange.on_message(0, start(1));
  EXPECT_EQ(sink.take(), (Sent{{0, answer(1, {1, 10})}}));
  EXPECT_TRUE(exchange.is_blocked());
  exchange.on_message(1, start(3));
  exchange.on_message(2, start(2));
  EXPECT_EQ(sink.take(), Sent{}) << "both are worse";
  exchange.on_message(0, reservation({5, 50}));
  exchange.on_message(0, end(1));
  EXPECT_EQ(sink.take(), (Sent{{2, answer(3, {6, 60})}}));
  exchange.on_message(2, end(2));
  exchange.on_message(1, end(3));
  EXPECT_FALSE(exchange.is_blocked());
}

TEST(PartialSnapshotExchange, AsksTheHolderToYieldToABetterRequest) {
  CatchingSink sink;
  PartialSnapshotExchange exchange(3, 4, sink);
  exchange.on_message(2, start(1));
  exchange.on_message(1, start(1));
  EXPECT_EQ(sink.take(), (Sent{{2, answer(1, {})}, {2, revoke(1)}}));
  exchange.on_message(0, start(1));
  EXPECT_EQ(sink.take(), Sent{}) << "once is enough";
  exchange.on_message(2, yield(1));
  EXPECT_EQ(sink.take(), (Sent{{0, answer(1, {})}}));
  exchange.on_message(0, end(1));
  EXPECT_EQ(sink.take(), (Sent{{1, answer(1, {})}}));
  exchange.on_message(1, end(1));
  EXPECT_EQ(sink.take(), (Sent{{2, answer(1, {})}})) << "who has yielded is served in its turn";
}

TEST(PartialSnapshotExchange, YieldsWhatItHoldsUntilItHasDecided) {
  CatchingSink sink;
  PartialSnapshotExchange exchange(2, 4, sink);
  exchange.want_to_decide(std::vector<Rank>{3});
  exchange.on_message(3, answer(1, {}));
  ASSERT_TRUE(exchange.may_decide());
  (void)sink.take();
  exchange.on_message(3, revoke(1));
  EXPECT_EQ(sink.take(), (Sent{{3, yield(1)}}));
  EXPECT_FALSE(exchange.may_decide());
  exchange.on_message(3, answer(1, {9, 9}));
  exchange.decide({});
  (void)sink.take();
  exchange.on_message(3, revoke(1));
  EXPECT_EQ(sink.take(), Sent{}) << "the end is on its way";
}

TEST(PartialSnapshotExchange, AsksLaterThanAllItKnowsOf) {
  CatchingSink sink;
  PartialSnapshotExchange exchange(0, 3, sink);
  const std::vector<Rank> candidates = {1};
  exchange.on_message(2, start(5));
  exchange.on_message(2, end(5));
  (void)sink.take();
  exchange.want_to_decide(candidates);
  EXPECT_EQ(sink.take(), (Sent{{1, start(6)}}));
  exchange.on_message(1, answer(20, {}));
  exchange.decide({});
  (void)sink.take();
  exchange.want_to_decide(candidates);
  EXPECT_EQ(sink.take(), (Sent{{1, start(21)}})) << "its candidate knows of requests that it never saw";
}

TEST(PartialSnapshotExchange, CanBeItsOwnCandidate) {
  CatchingSink sink;
  PartialSnapshotExchange exchange(1, 3, sink);
  exchange.want_to_decide(std::vector<Rank>{1, 2});
  exchange.on_message(2, answer(1, {}));
  ASSERT_TRUE(exchange.may_decide());
  (void)sink.take();
  exchange.on_message(0, start(1));
  EXPECT_FALSE(exchange.may_decide()) << "rank 0 is better, and now holds this rank";
  EXPECT_EQ(sink.take(), (Sent{{0, answer(1, {})}}));
  exchange.on_message(0, reservation({4, 40}));
  exchange.on_message(0, end(1));
  ASSERT_TRUE(exchange.may_decide());
  EXPECT_EQ(exchange.view()[1], (Load{4, 40}));
  exchange.decide({});
  EXPECT_EQ(sink.take(), (Sent{{2, end(1)}}));
  EXPECT_FALSE(exchange.is_blocked());
}

TEST(PartialSnapshotExchange, RefusesBrokenProtocols) {
  CatchingSink sink;
  PartialSnapshotExchange exchange(0, 3, sink);
  EXPECT_THROW(exchange.on_message(1, answer(1, {})), InternalError) << "nothing was asked";
  EXPECT_THROW(exchange.on_message(1, end(1)), InternalError) << "nothing is held";
  exchange.on_message(1, start(1));
  EXPECT_THROW(exchange.on_message(1, end(2)), InternalError) << "another request holds this rank";
}

}  // namespace
}  // namespace frond::test
