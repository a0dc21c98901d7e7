// SPDX-License-Identifier: BSD-3-Clause
// The port to where finished fronts are kept beside memory, so that a factorization can go on from them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "factorization/distributed/row_stream.hpp"
#include "factorization/fronts/assemble.hpp"
#include "factorization/fronts/slave_rows.hpp"
#include "factorization/kernels/front_kernel.hpp"

namespace frond {

/// Who holds what of a stored front now.
struct StoredLayout {
  Rank master = 0;
  FrontSize size;
  std::vector<RowShare> shares;  ///< of its contribution rows; empty: the master holds them
};

/// What is there before a factorization begins is read, and what is finished is handed over. What is handed over stays where it is
/// until let_go() or finish() returns, and does not change: so it may be read meanwhile, by another thread. Calls for different
/// fronts may come at the same time.
template <Scalar S>
class FrontStore {
 public:
  FrontStore() = default;
  FrontStore(const FrontStore&) = delete;
  FrontStore& operator=(const FrontStore&) = delete;
  virtual ~FrontStore() = default;

  // What is there. With a front all below it is.

  [[nodiscard]] virtual bool has(NodeId node) const = 0;
  [[nodiscard]] virtual DelayedVariables delayed(NodeId node) const = 0;
  [[nodiscard]] virtual StoredLayout layout(NodeId node) const = 0;  ///< the same on all ranks
  /// Fills a master's part that was placed: lists, entries, and how many are eliminated; returns what elimination counted. Throws
  /// InputError.
  [[nodiscard]] virtual PivotCounts read_factor(NodeId node, FrontFactor<S>& front) = 0;
  /// Fills the fully summed columns of a slave's rows, and says how many of them are eliminated. Throws InputError.
  virtual void read_factor_rows(NodeId node, SlaveRows<S>& rows) = 0;
  /// The rows of a stream out of a front whose parent is not there, as RowImage has them. Throws InputError.
  virtual void read_rows(const RowStream& stream, std::span<std::byte> image) const = 0;

  // What is new.

  /// A master's part of an eliminated front, all of whose factor stays. Its `shares` are empty if it holds all rows.
  virtual void take_factor(NodeId node, const NumericFront<S>& front, const FrontSize& size, const std::vector<RowShare>& shares,
                           const PivotCounts& counts) = 0;
  /// What it leaves to its parent, if that leaves its task: of a row-distributed front the rows that are delayed.
  virtual void take_block(NodeId node, const NumericFront<S>& front, bool is_row_distributed) = 0;
  /// A slave's part of both.
  virtual void take_rows(NodeId node, const SlaveRows<S>& rows) = 0;
  /// The parent has read the block of a part, whose memory is to be given back.
  virtual void let_go(NodeId node, PartRole role) = 0;
  /// Returns when nothing is read any more of what was handed over so far, since its memory is to go to another rank.
  virtual void settle() = 0;
  /// Nothing follows: all that was handed over is stored, or never will be. A store in memory may take so many bytes more than it
  /// was to take, which the factorization does not need any more.
  virtual void finish(Count free_bytes) noexcept = 0;
};

/// What the store has; empty where there is no store.
template <Scalar S>
[[nodiscard]] FinishedNodes stored_nodes(const AssemblyTree& tree, const FrontStore<S>* store) {
  FinishedNodes stored;
  for (NodeId node = 0; node < tree.num_nodes() && store != nullptr; ++node) {
    stored.push_back(store->has(node) ? Finished::stored : Finished::no);
  }
  return stored;
}

}  // namespace frond
