// SPDX-License-Identifier: BSD-3-Clause
// Hashes the states of the snapshot machines: states are equal if their futures cannot differ.
#pragma once

#include <algorithm>
#include <vector>

#include "loadinfo/mechanisms/partial_snapshot.hpp"
#include "loadinfo/mechanisms/snapshot.hpp"
#include "tests/support/ranks/message_queues.hpp"

namespace frond::test {

// Adds everything that a machine's future depends on; answers of past rounds, for example, are never read again. Structured
// bindings name every member, so that none can be forgotten. Clocks matter only as long as some rank (`asks_again`) will make a
// ticket of them.

template <class Rules>
void add_machine(StateHash& hash, const BasicSnapshot<Rules>& machine, bool /*asks_again*/) {
  const auto& [round, first_round, answered, requested, given_up] = machine.state();
  hash.add(machine.is_deciding());
  hash.add(round);
  hash.add(machine.is_deciding() ? first_round : kNoRound);
  hash.add(answered);
  for (Rank rank = 0; rank < machine.num_ranks(); ++rank) {
    hash.add(requested[rank]);
    hash.add(given_up[rank] >= round ? given_up[rank] : kNoRound);
    add(hash, rank == machine.rank() || given_up[rank] >= round ? machine.view()[rank] : Load{});
  }
}

inline void add(StateHash& hash, const PartialRequest& request) {
  hash.add(request.ticket);
  hash.add(request.rank);
}

/// Rules that serve requests in an order of their own, with tickets that count the requests of one rank.
template <class Rules>
concept WithoutClocks = requires {
  Rules::kWithoutClocks;
};

template <class Rules>
void add_machine(StateHash& hash, const BasicPartialSnapshot<Rules>& machine, bool asks_again) {
  const auto& [clock, own, grants, holder, is_revoked, waiting] = machine.state();
  hash.add(machine.is_deciding());
  hash.add(asks_again && !WithoutClocks<Rules> ? clock : 0);
  add(hash, machine.is_deciding() ? own : PartialRequest{});
  add(hash, holder);
  hash.add(is_revoked);
  for (Rank rank = 0; rank < machine.num_ranks(); ++rank) {
    hash.add(static_cast<int>(grants[rank]));
    add(hash, rank == machine.rank() || grants[rank] == Grant::given ? machine.view()[rank] : Load{});
  }
  std::vector<PartialRequest> in_order = waiting;
  std::sort(in_order.begin(), in_order.end());
  hash.add(in_order.size());
  for (const PartialRequest& request : in_order) {
    add(hash, request);
  }
}

}  // namespace frond::test
