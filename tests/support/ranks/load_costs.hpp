// SPDX-License-Identifier: BSD-3-Clause
// Checks how many messages snapshots of loads cost, for runs on virtual and on real ranks.
#pragma once

#include <gtest/gtest.h>

#include "analysis/mapping/mapping.hpp"
#include "factorization/ranks/rank_engine.hpp"
#include "loadinfo/mechanisms/load_message.hpp"

namespace frond::test {

/// A decision costs P - 1 starts, answers and ends, a reservation per slave, and answers wasted on requests that were overtaken: at
/// most (P - 1)(P - 2) / 2 in a round. Returns the number of these.
inline Count expect_snapshots_cost(const LoadMessageCounts& sent, const RankEngineCounts& counts, const Mapping& mapping) {
  using Kind = LoadMessageKind;
  const Count num_others = mapping.num_ranks() - 1;
  const Count num_wasted = sent.num_messages(Kind::answer) - counts.decisions * num_others;
  EXPECT_EQ(sent.num_messages(Kind::start), counts.decisions * num_others);
  EXPECT_EQ(sent.num_messages(Kind::end), counts.decisions * num_others);
  EXPECT_EQ(sent.num_messages(Kind::reservation), counts.slaves_chosen);
  EXPECT_EQ(sent.total_messages(), 3 * num_others * counts.decisions + counts.slaves_chosen + num_wasted);
  EXPECT_GE(num_wasted, 0);
  EXPECT_LE(num_wasted, counts.decisions * num_others * (num_others - 1) / 2);
  return num_wasted;
}

/// A decision costs a start and an end per candidate, an answer for each start and each yield, at most one revocation per start,
/// and a reservation per slave. Returns the number of revocations.
inline Count expect_partial_snapshots_cost(const LoadMessageCounts& sent, const RankEngineCounts& counts, const Mapping& mapping) {
  using Kind = LoadMessageKind;
  Count num_candidates = 0;
  for (const UpperNode& node : mapping.upper_nodes()) {
    num_candidates += node.type == NodeType::row_distributed ? node.candidates.size() - 1 : 0;
  }
  const Count num_revoked = sent.num_messages(Kind::revoke);
  const Count num_yields = sent.num_messages(Kind::yield);
  EXPECT_EQ(sent.num_messages(Kind::start), num_candidates);
  EXPECT_EQ(sent.num_messages(Kind::end), num_candidates);
  EXPECT_EQ(sent.num_messages(Kind::answer), num_candidates + num_yields);
  EXPECT_EQ(sent.num_messages(Kind::reservation), counts.slaves_chosen);
  EXPECT_EQ(sent.total_messages(), 3 * num_candidates + counts.slaves_chosen + num_revoked + 2 * num_yields);
  EXPECT_LE(num_yields, num_revoked);
  EXPECT_LE(num_revoked, num_candidates);
  return num_revoked;
}

}  // namespace frond::test
