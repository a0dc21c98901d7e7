// SPDX-License-Identifier: BSD-3-Clause
// Tests that every rank gets a message once and soon, and sends it at most twice.
#include "factorization/distributed/relay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace frond::test {
namespace {

// Counts the receivers; returns the number of steps until the last one has the message.
int pass_on(std::span<const Rank> ranks, std::vector<int>& num_received) {
  const std::vector<RelayBranch> branches = relay_branches(ranks);
  EXPECT_LE(branches.size(), 2U);
  int most_steps = 0;
  for (const RelayBranch& branch : branches) {
    ++num_received[branch.to];
    most_steps = std::max(most_steps, 1 + pass_on(branch.relays, num_received));
  }
  return most_steps;
}

TEST(Relay, ReachesEverybodyOnceInFewSteps) {
  for (const std::size_t size : {0U, 1U, 2U, 3U, 7U, 8U, 100U, 1023U}) {
    std::vector<Rank> ranks(size);
    std::iota(ranks.rbegin(), ranks.rend(), 0);
    std::vector<int> num_received(size, 0);
    int depth = 0;
    for (std::size_t left = size; left > 0; left /= 2) {
      ++depth;
    }
    EXPECT_LE(pass_on(ranks, num_received), depth);
    EXPECT_EQ(num_received, std::vector<int>(size, 1));
  }
}

}  // namespace
}  // namespace frond::test
