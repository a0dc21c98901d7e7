// SPDX-License-Identifier: BSD-3-Clause
// Tests errors of views: by hand, and by the promises of the mechanisms.
#include "tests/support/ranks/view_meter.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "loadinfo/load_server.hpp"
#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {
namespace {

TEST(ViewMeter, ComparesViewsWithWhatRanksCountAndAreToCount) {
  ViewMeter meter(4);
  const std::vector<Rank> candidates = {1, 3};
  const std::vector<Load> counted = {{1, 1}, {40, 100}, {1, 1}, {60, 0}};
  meter.measure(candidates, counted, counted);
  EXPECT_EQ(meter.flops().largest, 0);
  meter.choose(std::vector<Assignment>{{3, {100, 50}}});
  meter.measure(candidates, counted, counted);  // 100 and 160, 100 and 150
  EXPECT_DOUBLE_EQ(meter.flops().largest, 0.5);
  EXPECT_DOUBLE_EQ(meter.bytes().largest, 1.0 / 3);
  meter.count(3, {100, 50});
  meter.measure(candidates, std::vector<Load>(4), std::vector<Load>(4));
  EXPECT_EQ(meter.num_decisions(), 3);
  EXPECT_DOUBLE_EQ(meter.flops().mean, 0.5 / 3);
  EXPECT_DOUBLE_EQ(meter.flops().largest, 0.5);
}

// Ranks that hold loads over a random network, and decide one at a time.
class Exchanges {
 public:
  static constexpr Rank kNumRanks = 5;

  explicit Exchanges(LoadMechanism mechanism) : network_(kNumRanks, 1, 1 << 20, std::random_device{}()) {
    for (Rank rank = 0; rank < kNumRanks; ++rank) {
      servers_.push_back(std::make_unique<LoadServer>(network_.channel(0, rank), LoadExchangeOptions{mechanism, {}}));
    }
  }

  template <class Use>
  decltype(auto) with(Rank rank, Use use) {
    return servers_[static_cast<std::size_t>(rank)]->with_exchange(use);
  }
  [[nodiscard]] std::vector<Load> counted() {
    std::vector<Load> loads;
    loads.reserve(static_cast<std::size_t>(kNumRanks));
    for (Rank rank = 0; rank < kNumRanks; ++rank) {
      loads.push_back(with(rank, [](const LoadExchange& exchange) { return exchange.load(); }));
    }
    return loads;
  }
  void settle() {
    while (network_.deliver()) {
      for (const auto& server : servers_) {
        server->serve();
      }
    }
  }

 private:
  VirtualNetwork network_;
  std::vector<std::unique_ptr<LoadServer>> servers_;
};

const std::vector<Rank> kCandidates = {1, 2, 3, 4};

// Snapshots promise, whatever is under way: the current loads, with everything that was reserved.
TEST(StalenessOfSnapshots, IsZeroWhileNobodyElseDecides) {
  for (const LoadMechanism mechanism : {LoadMechanism::snapshot, LoadMechanism::partial_snapshot}) {
    SCOPED_TRACE(to_string(mechanism));
    Exchanges ranks(mechanism);
    ViewMeter meter(Exchanges::kNumRanks);
    for (Rank rank = 1; rank < Exchanges::kNumRanks; ++rank) {
      ranks.with(rank, [rank](LoadExchange& exchange) { exchange.vary({100.0 * rank, Count{10} * rank}); });
    }
    for (int decision = 0; decision < 20; ++decision) {
      ranks.with(0, [](LoadExchange& exchange) { exchange.want_to_decide(kCandidates); });
      ranks.settle();
      const std::vector<Assignment> chosen = {{1 + decision % 4, {70, 7}}, {1 + (decision + 1) % 4, {30, 3}}};
      const std::vector<Load> counted = ranks.counted();
      ranks.with(0, [&](LoadExchange& exchange) {
        ASSERT_TRUE(exchange.may_decide());
        meter.measure(kCandidates, exchange.view(), counted);
        exchange.decide(chosen);  // reservations are under way when the next request follows
      });
      meter.choose(chosen);
      if (decision % 2 == 0) {
        ranks.settle();
      }
      ranks.with(1, [](LoadExchange& exchange) { exchange.vary({-10, 1}); });
      for (const Assignment& slave : chosen) {  // counted by the time of the next measurement
        meter.count(slave.rank, slave.load);
      }
    }
    EXPECT_EQ(meter.num_decisions(), 20);
    EXPECT_EQ(meter.flops().largest, 0);
    EXPECT_EQ(meter.bytes().largest, 0);
  }
}

// With threshold zero every variation is sent; the naive mechanism reserves nothing, so tasks arrive at once here.
TEST(StalenessOfMaintainedViews, IsZeroAtRestOnly) {
  for (const LoadMechanism mechanism : {LoadMechanism::naive, LoadMechanism::increments}) {
    SCOPED_TRACE(to_string(mechanism));
    Exchanges ranks(mechanism);
    ViewMeter at_rest(Exchanges::kNumRanks);
    ViewMeter meanwhile(Exchanges::kNumRanks);
    const auto measure = [&ranks](ViewMeter& meter, Rank rank) {
      const std::vector<Load> counted = ranks.counted();
      ranks.with(rank, [&](const LoadExchange& exchange) { meter.measure(kCandidates, exchange.view(), counted); });
    };
    for (int round = 0; round < 10; ++round) {
      for (Rank rank = 0; rank < Exchanges::kNumRanks; ++rank) {
        ranks.with(rank, [rank](LoadExchange& exchange) { exchange.vary({50.0 + rank, 5 * rank + 1}); });
      }
      measure(meanwhile, 0);
      const std::vector<Assignment> chosen = {{2, {500, 40}}};
      ranks.with(0, [&](LoadExchange& exchange) {
        exchange.want_to_decide(kCandidates);
        exchange.decide(chosen);
      });
      ranks.settle();
      ranks.with(2, [&](LoadExchange& exchange) { exchange.task_arrived(chosen[0].load, chosen[0].load); });
      ranks.settle();
      for (Rank rank = 0; rank < Exchanges::kNumRanks; ++rank) {
        measure(at_rest, rank);
      }
    }
    EXPECT_EQ(at_rest.flops().largest, 0);
    EXPECT_EQ(at_rest.bytes().largest, 0);
    EXPECT_GT(meanwhile.flops().mean, 0);
    EXPECT_GT(meanwhile.bytes().mean, 0);
  }
}

}  // namespace
}  // namespace frond::test
