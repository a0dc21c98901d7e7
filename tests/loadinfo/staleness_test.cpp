// SPDX-License-Identifier: BSD-3-Clause
// Tests how far views are from what ranks count, by the promises of the mechanisms.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "loadinfo/load_server.hpp"
#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {
namespace {

const std::vector<Rank> kCandidates = {1, 2, 3, 4};

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
    return servers_[rank]->with_exchange(use);
  }
  [[nodiscard]] std::vector<Load> counted() {
    std::vector<Load> loads;
    loads.reserve(static_cast<std::size_t>(kNumRanks));
    for (Rank rank = 0; rank < kNumRanks; ++rank) {
      loads.push_back(with(rank, [](const LoadExchange& exchange) { return exchange.load(); }));
    }
    return loads;
  }
  // Returns how far a rank's view of the candidates is from what they count, summed up.
  [[nodiscard]] Load error_of_view(Rank rank) {
    const std::vector<Load> truth = counted();
    return with(rank, [&truth](const LoadExchange& exchange) {
      Load error;
      for (const Rank candidate : kCandidates) {
        const auto j = static_cast<std::size_t>(candidate);
        error += {std::abs(exchange.view()[j].flops - truth[j].flops), std::abs(exchange.view()[j].bytes - truth[j].bytes)};
      }
      return error;
    });
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

// Snapshots promise, whatever is under way: the current loads, with everything that was reserved.
TEST(StalenessOfSnapshots, IsZeroWhileNobodyElseDecides) {
  for (const LoadMechanism mechanism : {LoadMechanism::snapshot, LoadMechanism::partial_snapshot}) {
    SCOPED_TRACE(to_string(mechanism));
    Exchanges ranks(mechanism);
    for (Rank rank = 1; rank < Exchanges::kNumRanks; ++rank) {
      ranks.with(rank, [rank](LoadExchange& exchange) { exchange.vary({100.0 * rank, Count{10} * rank}); });
    }
    for (int decision = 0; decision < 20; ++decision) {
      ranks.with(0, [](LoadExchange& exchange) { exchange.want_to_decide(kCandidates); });
      ranks.settle();
      EXPECT_EQ(ranks.error_of_view(0), Load());
      ranks.with(0, [decision](LoadExchange& exchange) {
        ASSERT_TRUE(exchange.may_decide());
        const std::vector<Assignment> chosen = {{1 + decision % 4, {70, 7}}, {1 + (decision + 1) % 4, {30, 3}}};
        exchange.decide(chosen);  // reservations are under way when the next request follows
      });
      if (decision % 2 == 0) {
        ranks.settle();
      }
      ranks.with(1, [](LoadExchange& exchange) { exchange.vary({-10, 1}); });
    }
  }
}

// With threshold zero every variation is sent; the naive mechanism reserves nothing, so tasks arrive at once here.
TEST(StalenessOfMaintainedViews, IsZeroAtRestOnly) {
  for (const LoadMechanism mechanism : {LoadMechanism::naive, LoadMechanism::increments}) {
    SCOPED_TRACE(to_string(mechanism));
    Exchanges ranks(mechanism);
    Load meanwhile;
    for (int round = 0; round < 10; ++round) {
      for (Rank rank = 0; rank < Exchanges::kNumRanks; ++rank) {
        ranks.with(rank, [rank](LoadExchange& exchange) { exchange.vary({50.0 + rank, 5 * rank + 1}); });
      }
      meanwhile += ranks.error_of_view(0);
      const std::vector<Assignment> chosen = {{2, {500, 40}}};
      ranks.with(0, [&](LoadExchange& exchange) {
        exchange.want_to_decide(kCandidates);
        exchange.decide(chosen);
      });
      ranks.settle();
      ranks.with(2, [&](LoadExchange& exchange) { exchange.task_arrived(chosen[0].load, chosen[0].load); });
      ranks.settle();
      for (Rank rank = 0; rank < Exchanges::kNumRanks; ++rank) {
        EXPECT_EQ(ranks.error_of_view(rank), Load()) << "rank " << rank;
      }
    }
    EXPECT_GT(meanwhile.flops, 0);
    EXPECT_GT(meanwhile.bytes, 0);
  }
}

}  // namespace
}  // namespace frond::test
