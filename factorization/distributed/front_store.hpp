// SPDX-License-Identifier: BSD-3-Clause
// The interface to a store of finished fronts, from which a factorization can resume.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "factorization/distributed/row_stream.hpp"
#include "factorization/fronts/assemble.hpp"
#include "factorization/fronts/slave_rows.hpp"
#include "factorization/kernels/front_kernel.hpp"

namespace frond {

/// The ranks that hold the rows of a stored front now.
struct StoredLayout {
  Rank master = 0;
  FrontSize size;
  std::vector<RowShare> shares;  ///< of its contribution rows; empty: the master holds them
};

/// Fronts stored before a factorization begins are read from the store, and finished ones are handed over to it. What is handed
/// over stays in place, unchanged, until let_go() or finish() returns, so another thread may read it meanwhile. Calls for different
/// fronts may come at the same time.
template <Scalar S>
class FrontStore {
 public:
  FrontStore() = default;
  FrontStore(const FrontStore&) = delete;
  FrontStore& operator=(const FrontStore&) = delete;
  virtual ~FrontStore() = default;

  // Stored fronts. If a front is stored, so are all below it.

  [[nodiscard]] virtual bool has(NodeId node) const = 0;
  [[nodiscard]] virtual DelayedVariables delayed(NodeId node) const = 0;
  [[nodiscard]] virtual StoredLayout layout(NodeId node) const = 0;  ///< the same on all ranks
  /// Fills a master's part that was placed: lists, entries, and how many are eliminated; returns the counts of its elimination.
  /// Throws InputError.
  [[nodiscard]] virtual PivotCounts read_factor(NodeId node, FrontFactor<S>& front) = 0;
  /// Fills the fully summed columns of a slave's rows, and sets how many of them are eliminated. Throws InputError.
  virtual void read_factor_rows(NodeId node, SlaveRows<S>& rows) = 0;
  /// Reads the rows of a stream out of a front whose parent is not stored, as RowImage has them. Throws InputError.
  virtual void read_rows(const RowStream& stream, std::span<std::byte> image) const = 0;

  // New fronts.

  /// Takes a master's part of an eliminated front, all of whose factor is kept. `shares` is empty if it holds all rows.
  virtual void take_factor(NodeId node, const NumericFront<S>& front, const FrontSize& size, const std::vector<RowShare>& shares,
                           const PivotCounts& counts) = 0;
  /// Takes what the front leaves to its parent, if that leaves its task: for a row-distributed front, the delayed rows.
  virtual void take_block(NodeId node, const NumericFront<S>& front, bool is_row_distributed) = 0;
  /// Takes a slave's part of both.
  virtual void take_rows(NodeId node, const SlaveRows<S>& rows) = 0;
  /// Called when the parent has read the block of a part, before its memory is given back.
  virtual void let_go(NodeId node, PartRole role) = 0;
  /// Returns once nothing that was handed over so far is being read any more, since its memory will go to another rank.
  virtual void settle() = 0;
  /// Called at the end: on return, everything handed over is stored, or never will be. A store in memory may take `free_bytes` more
  /// than its limit, which the factorization no longer needs.
  virtual void finish(Count free_bytes) noexcept = 0;
};

/// Returns what the store has; empty without a store.
template <Scalar S>
[[nodiscard]] FinishedNodes stored_nodes(const AssemblyTree& tree, const FrontStore<S>* store) {
  FinishedNodes stored;
  for (NodeId node = 0; node < tree.num_nodes() && store != nullptr; ++node) {
    stored.push_back(store->has(node) ? Finished::stored : Finished::no);
  }
  return stored;
}

}  // namespace frond
