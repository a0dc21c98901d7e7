// SPDX-License-Identifier: BSD-3-Clause
// Tests that masters of row-distributed fronts watch the candidates of these fronts.
#include "factorization/ranks/exchange_options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {
namespace {

TEST(LoadWatchers, AreTheMastersThatMayChooseARank) {
  const RankProblem<double> problem(Method::lu, 10, Values::dominant, Types::row_distributed, 6);
  const LoadWatchers watchers = load_watchers(problem.mapping);
  Index num_pairs = 0;
  for (Rank rank = 0; rank < 6; ++rank) {
    std::set<Rank> masters;
    for (const UpperNode& node : problem.mapping.upper_nodes()) {
      const std::span<const Rank> candidates = problem.mapping.candidates(node.node);
      if (node.type == NodeType::row_distributed && node.master != rank &&
          std::find(candidates.begin(), candidates.end(), rank) != candidates.end()) {
        masters.insert(node.master);
      }
    }
    const std::span<const Rank> of_rank = watchers.of(rank);
    EXPECT_EQ(std::set<Rank>(of_rank.begin(), of_rank.end()), masters);
    EXPECT_TRUE(std::is_sorted(of_rank.begin(), of_rank.end()));
    for (Rank other = 0; other < 6; ++other) {
      EXPECT_EQ(watchers.watches(other, rank), masters.contains(other));
      const std::span<const Rank> watched = watchers.watched_by(other);
      EXPECT_EQ(std::find(watched.begin(), watched.end(), rank) != watched.end(), masters.contains(other));
    }
    num_pairs += static_cast<Index>(masters.size());
  }
  EXPECT_GT(num_pairs, 0);
}

TEST(ExchangeOptions, HaveWatchersForLocalIncrementsOnly) {
  const RankProblem<double> problem(Method::lu, 10, Values::dominant, Types::row_distributed, 6);
  const TaskGraph graph(problem.symbolic->tree(), problem.method, 8, problem.mapping);
  const LoadExchangeOptions local = exchange_options(LoadMechanism::local_increments, graph, problem.mapping);
  const LoadExchangeOptions all = exchange_options(LoadMechanism::increments, graph, problem.mapping);
  EXPECT_TRUE(local.watchers);
  EXPECT_FALSE(all.watchers);
  EXPECT_LE(local.threshold.flops, all.threshold.flops);
  EXPECT_LE(local.threshold.bytes, all.threshold.bytes);
}

}  // namespace
}  // namespace frond::test
