// SPDX-License-Identifier: BSD-3-Clause
// Tests names, default threshold and construction of mechanisms, and the contract that all of them satisfy.
#include "loadinfo/mechanisms/mechanism.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/ranks/message_queues.hpp"

namespace frond::test {
namespace {

constexpr std::array<LoadMechanism, 5> kAll = {LoadMechanism::naive, LoadMechanism::increments, LoadMechanism::local_increments,
                                               LoadMechanism::snapshot, LoadMechanism::partial_snapshot};

TEST(LoadMechanism, NamesAreReadAsTheyAreWritten) {
  for (const LoadMechanism mechanism : kAll) {
    EXPECT_EQ(parse_load_mechanism(to_string(mechanism)), mechanism);
  }
  EXPECT_EQ(to_string(LoadMechanism::partial_snapshot), "partial-snapshot");
}

TEST(LoadMechanism, UnknownNamesAreRefusedWithTheKnownOnes) {
  const auto error = testing::error_of<UsageError>([&] { (void)parse_load_mechanism("exact"); });
  EXPECT_STREQ(error.what(),
               "there is no load exchange 'exact'; choose one of naive, increments, local-increments, snapshot, partial-snapshot");
}

TEST(DefaultThreshold, IsTheLargestOfTheTasksThatMakeUpATenth) {
  // Flops: 1 + 2 + 3 + 4 = 10 of 100. Bytes: 5 of 50, the next 5 would make 10.
  const std::vector<Load> tasks = {{40, 10}, {4, 15}, {1, 5}, {50, 10}, {3, 5}, {2, 5}};
  EXPECT_EQ(default_threshold(tasks), (Load{4, 5}));
}

TEST(DefaultThreshold, IsOneTaskForManyEqualOnesAndZeroForFew) {
  EXPECT_EQ(default_threshold(std::vector<Load>(10, {7, 9})), (Load{7, 9}));
  EXPECT_EQ(default_threshold(std::vector<Load>(9, {7, 9})), Load{});
  EXPECT_EQ(default_threshold({}), Load{});
}

class EveryMechanism : public ::testing::TestWithParam<LoadMechanism> {
 protected:
  std::unique_ptr<LoadExchange> make(Rank rank, Rank num_ranks) {
    return make_load_exchange({.mechanism = GetParam(), .threshold = {}}, rank, num_ranks, sink_);
  }
  CatchingSink sink_;
};
INSTANTIATE_TEST_SUITE_P(All, EveryMechanism, ::testing::ValuesIn(kAll), [](const auto& test) {
  std::string name(to_string(test.param));
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
});

TEST_P(EveryMechanism, OneRankDecidesAloneAndSendsNothing) {
  const auto exchange = make(0, 1);
  exchange->vary({10, 20});
  for (int decision = 0; decision < 3; ++decision) {
    EXPECT_FALSE(exchange->may_decide());
    exchange->want_to_decide({});
    EXPECT_TRUE(exchange->may_decide());
    exchange->decide({});
    EXPECT_FALSE(exchange->is_blocked());
  }
  exchange->no_more_master();
  EXPECT_EQ(exchange->load(), (Load{10, 20}));
  EXPECT_EQ(exchange->view().size(), 1U);
  EXPECT_TRUE(sink_.take().empty());
}

TEST_P(EveryMechanism, RefusesMisuse) {
  const auto exchange = make(0, 2);
  const std::vector<Assignment> slave = {{1, {1, 1}}};
  const std::vector<Rank> twice = {1, 1};
  const std::vector<Rank> outside = {2};
  EXPECT_THROW(exchange->decide(slave), InternalError);
  EXPECT_THROW(exchange->want_to_decide(twice), InternalError);
  EXPECT_THROW(exchange->want_to_decide(outside), InternalError);
  const std::vector<Rank> other = {1};
  exchange->want_to_decide(other);
  EXPECT_THROW(exchange->want_to_decide(other), InternalError);
  EXPECT_THROW(exchange->no_more_master(), InternalError);
  EXPECT_THROW(exchange->on_message(0, {.kind = LoadMessageKind::update}), InternalError);
  EXPECT_THROW(exchange->on_message(2, {.kind = LoadMessageKind::update}), InternalError);
  EXPECT_THROW(make(2, 2), InternalError);
}

TEST_P(EveryMechanism, RefusesMessagesOfOtherMechanisms) {
  const bool on_demand = GetParam() == LoadMechanism::snapshot || GetParam() == LoadMechanism::partial_snapshot;
  const auto exchange = make(0, 2);
  EXPECT_THROW(exchange->on_message(1, {.kind = on_demand ? LoadMessageKind::update : LoadMessageKind::start}), InternalError);
}

TEST_P(EveryMechanism, ChoosesOnlyAmongCandidatesAndEachOnce) {
  const auto exchange = make(0, 3);
  const std::vector<Rank> nobody;
  exchange->want_to_decide(nobody);
  if (GetParam() == LoadMechanism::snapshot) {
    exchange->on_message(1, {.kind = LoadMessageKind::answer, .ticket = 0});
    exchange->on_message(2, {.kind = LoadMessageKind::answer, .ticket = 0});
  }
  ASSERT_TRUE(exchange->may_decide());
  EXPECT_THROW(exchange->decide(std::vector<Assignment>{{1, {1, 1}}}), InternalError);
  EXPECT_THROW(exchange->decide(std::vector<Assignment>{{0, {1, 1}}}), InternalError);
  exchange->decide({});
  exchange->no_more_master();
  EXPECT_THROW(exchange->no_more_master(), InternalError);
  EXPECT_THROW(exchange->want_to_decide(nobody), InternalError);
}

}  // namespace
}  // namespace frond::test
