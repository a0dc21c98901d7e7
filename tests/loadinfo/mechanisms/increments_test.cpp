// SPDX-License-Identifier: BSD-3-Clause
// Tests the mechanism by increments, message by message.
#include "loadinfo/mechanisms/increments.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/ranks/message_queues.hpp"

namespace frond::test {
namespace {

using Sent = CatchingSink::Sent;

TEST(IncrementsExchange, AddsVariationsUpUntilTheyPassTheThreshold) {
  CatchingSink sink;
  IncrementsExchange exchange(0, 2, sink, {10, 100});
  exchange.vary({6, 60});
  exchange.vary({4, 40});
  EXPECT_EQ(sink.take(), Sent{});
  EXPECT_EQ(exchange.unsent(), (Load{10, 100}));
  exchange.vary({0, 1});
  EXPECT_EQ(sink.take(), (Sent{{1, update({10, 101})}}));
  EXPECT_EQ(exchange.unsent(), Load{});
  exchange.vary({-11, 0});
  EXPECT_EQ(sink.take(), (Sent{{1, update({-11, 0})}})) << "falling loads are reported, too";
  EXPECT_EQ(exchange.load(), (Load{-1, 101}));
}

TEST(IncrementsExchange, TellsEverybodyWhatIsReserved) {
  CatchingSink sink;
  IncrementsExchange master(0, 3, sink, {});
  const std::vector<Assignment> chosen = {{2, {7, 8}}};
  master.want_to_decide(std::vector<Rank>{1, 2});
  ASSERT_TRUE(master.may_decide());
  master.decide(chosen);
  const LoadMessage choice{.kind = LoadMessageKind::master_to_all, .assignments = chosen};
  EXPECT_EQ(sink.take(), (Sent{{1, choice}, {2, choice}}));
  EXPECT_EQ(master.view()[2], (Load{7, 8})) << "its own view included";

  IncrementsExchange other(1, 3, sink, {});
  other.on_message(0, choice);
  EXPECT_EQ(other.view()[2], (Load{7, 8}));
  EXPECT_EQ(other.load(), Load{});
}

// Rank 1 is a candidate of rank 0, rank 2 of ranks 0 and 3.
TEST(IncrementsExchange, TellsThoseWhoWatch) {
  const auto watchers = std::make_shared<const LoadWatchers>(std::vector<std::vector<Rank>>{{}, {0}, {0, 3}, {}});
  CatchingSink sink;
  IncrementsExchange slave(2, 4, sink, {}, watchers);
  slave.vary({5, 5});
  EXPECT_EQ(sink.take(), (Sent{{0, update({5, 5})}, {3, update({5, 5})}}));

  IncrementsExchange master(0, 4, sink, {}, watchers);
  const std::vector<Assignment> first = {{1, {7, 8}}};
  master.want_to_decide(std::vector<Rank>{1});
  master.decide(first);
  EXPECT_EQ(sink.take(), (Sent{{1, {.kind = LoadMessageKind::master_to_all, .assignments = first}}})) << "nobody else watches it";
  const std::vector<Assignment> second = {{1, {1, 1}}, {2, {7, 8}}};
  master.want_to_decide(std::vector<Rank>{1, 2});
  master.decide(second);
  const LoadMessage choice{.kind = LoadMessageKind::master_to_all, .assignments = second};
  EXPECT_EQ(sink.take(), (Sent{{1, choice}, {2, choice}, {3, choice}}));
  master.no_more_master();
  const LoadMessage no_more{.kind = LoadMessageKind::no_more_master};
  EXPECT_EQ(sink.take(), (Sent{{1, no_more}, {2, no_more}})) << "those whose loads it has watched";

  IncrementsExchange other(3, 4, sink, {}, watchers);
  other.on_message(0, choice);
  EXPECT_EQ(other.view()[2], (Load{7, 8}));
  EXPECT_EQ(other.view()[1], Load{}) << "it would never hear of the task's end";
  EXPECT_THROW(other.want_to_decide(std::vector<Rank>{1}), InternalError);
}

TEST(IncrementsExchange, CountsAReservationOnceInEitherOrder) {
  const LoadMessage choice{.kind = LoadMessageKind::master_to_all, .assignments = {{1, {7, 8}}}};
  CatchingSink sink;
  IncrementsExchange early(1, 2, sink, {});
  early.on_message(0, choice);
  early.task_arrived({9, 8}, {7, 8});
  EXPECT_EQ(early.load(), (Load{9, 8}));
  EXPECT_EQ(sink.take(), (Sent{{0, update({2, 0})}})) << "only the surplus is news";
  early.vary({-9, -8});
  EXPECT_EQ(early.load(), Load{});

  IncrementsExchange late(1, 2, sink, {});
  late.task_arrived({9, 8}, {7, 8});
  late.vary({-9, -8});
  EXPECT_EQ(late.load(), (Load{-7, -8})) << "the task has ended before it was reserved";
  late.on_message(0, choice);
  EXPECT_EQ(late.load(), Load{});
}

TEST(IncrementsExchange, TellsThoseWhoDecideNoMoreOnlyWhatTheyAreGiven) {
  CatchingSink sink;
  IncrementsExchange master(0, 4, sink, {});
  master.on_message(1, {.kind = LoadMessageKind::no_more_master});
  master.on_message(2, {.kind = LoadMessageKind::no_more_master});
  master.vary({1, 1});
  EXPECT_EQ(sink.take(), (Sent{{3, update({1, 1})}}));
  const std::vector<Assignment> chosen = {{2, {7, 8}}};
  master.want_to_decide(std::vector<Rank>{1, 2, 3});
  master.decide(chosen);
  const LoadMessage choice{.kind = LoadMessageKind::master_to_all, .assignments = chosen};
  EXPECT_EQ(sink.take(), (Sent{{2, choice}, {3, choice}}));
}

TEST(IncrementsExchange, RefusesAssignmentsThatCannotBe) {
  CatchingSink sink;
  IncrementsExchange exchange(0, 2, sink, {});
  EXPECT_THROW(exchange.on_message(1, {.kind = LoadMessageKind::master_to_all, .assignments = {{1, {}}}}), InternalError);
  EXPECT_THROW(exchange.on_message(1, {.kind = LoadMessageKind::master_to_all, .assignments = {{2, {}}}}), InternalError);
}

}  // namespace
}  // namespace frond::test
