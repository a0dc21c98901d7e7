// SPDX-License-Identifier: BSD-3-Clause
// Visits the entries of A that become active at a node, and scales them.
#pragma once

#include <span>

#include "analysis/symbolic.hpp"
#include "factorization/fronts/assemble.hpp"

namespace frond {

/// An entry in the row or column of the fully summed position k: A(position, k), or if it is `upper` A(k, position). Positions are
/// those of the tree's front.
struct FrontEntry {
  Count source = 0;  ///< its place among the values
  Index k = 0;
  Index position = 0;
  bool is_upper = false;
};

/// Calls visit(entry) for each of them. Their values, which lie in the order of A and not of the elimination, are prefetched.
template <Scalar S, class Visit>
void for_each_entry(const Symbolic& symbolic, std::span<const S> values, NodeId node, Visit visit) {
  constexpr Count kAhead = 16;  // entries
  const EntryMap& entries = symbolic.entries();
  const Index first = symbolic.tree().variable_begin(node);
  const Index num_fully_summed = symbolic.tree().num_fully_summed(node);
  const Count end = entries.entries_begin(first + num_fully_summed);
  const auto prefetch = [&](Count entry) {
    if (entry < end) {
      __builtin_prefetch(values.data() + entries.source(entry));
    }
  };
  for (Count ahead = 0; ahead < kAhead; ++ahead) {
    prefetch(entries.entries_begin(first) + ahead);
  }
  for (Index k = 0; k < num_fully_summed; ++k) {
    for (Count entry = entries.entries_begin(first + k); entry < entries.entries_begin(first + k + 1); ++entry) {
      prefetch(entry + kAhead);
      const Index code = entries.position(entry);
      visit(FrontEntry{entries.source(entry), k, code < 0 ? ~code : code, code < 0});
    }
  }
}

template <Scalar S>
[[nodiscard]] S scaled_value(const AssemblyTree& tree, const ScaledValues<S>& matrix, NodeId node, const FrontEntry& entry) {
  S value = matrix.values[entry.source];
  if (!matrix.row_scaling.empty()) {
    const Index first = tree.variable_begin(node);
    const Index p = tree.num_fully_summed(node);
    const Index own = first + entry.k;
    const Index other = entry.position < p ? first + entry.position : tree.cb_rows(node)[entry.position - p];
    value *= matrix.row_scaling[entry.is_upper ? own : other];  // one after the other: their product may overflow
    value *= matrix.col_scaling[entry.is_upper ? other : own];
  }
  return value;
}

}  // namespace frond
