// SPDX-License-Identifier: BSD-3-Clause
// Tests the naive mechanism, message by message.
#include "loadinfo/mechanisms/naive.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/ranks/message_queues.hpp"

namespace frond::test {
namespace {

using Sent = CatchingSink::Sent;

TEST(NaiveExchange, SendsItsLoadWhenItHasMovedByMoreThanTheThreshold) {
  CatchingSink sink;
  NaiveExchange exchange(1, 3, sink, {10, 100});
  exchange.vary({10, 100});
  EXPECT_EQ(sink.take(), Sent{}) << "at the threshold, not above it";
  exchange.vary({1, 0});
  EXPECT_EQ(sink.take(), (Sent{{0, update({11, 100})}, {2, update({11, 100})}})) << "flops alone";
  exchange.vary({0, -101});
  EXPECT_EQ(sink.take(), (Sent{{0, update({11, -1})}, {2, update({11, -1})}})) << "bytes alone, downwards";
}

TEST(NaiveExchange, KnowsOthersByTheirLastMessage) {
  CatchingSink sink;
  NaiveExchange exchange(0, 2, sink, {});
  exchange.on_message(1, update({5, 6}));
  exchange.on_message(1, update({2, 3}));
  EXPECT_EQ(exchange.view()[1], (Load{2, 3}));
  EXPECT_EQ(exchange.load(), Load{});
}

// This is the weakness that the other mechanisms remove.
TEST(NaiveExchange, ReservesNothing) {
  CatchingSink sink;
  NaiveExchange master(0, 2, sink, {});
  const std::vector<Assignment> chosen = {{1, {7, 8}}};
  master.want_to_decide(std::vector<Rank>{1});
  ASSERT_TRUE(master.may_decide());
  master.decide(chosen);
  EXPECT_EQ(sink.take(), Sent{});
  EXPECT_EQ(master.view()[1], Load{});

  NaiveExchange slave(1, 2, sink, {});
  slave.task_arrived({9, 8}, {7, 8});
  EXPECT_EQ(sink.take(), (Sent{{0, update({9, 8})}})) << "all of the cost counts when the task comes";
}

TEST(NaiveExchange, DoesNotTellThoseWhoDecideNoMore) {
  CatchingSink sink;
  NaiveExchange exchange(0, 3, sink, {});
  exchange.on_message(1, {.kind = LoadMessageKind::no_more_master});
  exchange.vary({1, 1});
  EXPECT_EQ(sink.take(), (Sent{{2, update({1, 1})}}));
  exchange.no_more_master();
  const LoadMessage farewell{.kind = LoadMessageKind::no_more_master};
  EXPECT_EQ(sink.take(), (Sent{{1, farewell}, {2, farewell}}));
}

}  // namespace
}  // namespace frond::test
