// SPDX-License-Identifier: BSD-3-Clause
// The port to where finished fronts are kept beside memory, so that a factorization can go on from them.
#pragma once

#include <cstddef>
#include <span>

#include "factorization/distributed/row_stream.hpp"
#include "factorization/fronts/assemble.hpp"
#include "factorization/kernels/front_kernel.hpp"

namespace frond {

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
  /// Fills a front that was placed: lists, entries, and how many are eliminated; returns what elimination counted. Throws
  /// InputError.
  [[nodiscard]] virtual PivotCounts read_factor(NodeId node, FrontFactor<S>& front) = 0;
  /// The rows of a stream out of a front whose parent is not there, as RowImage has them. Throws InputError.
  virtual void read_rows(const RowStream& stream, std::span<std::byte> image) const = 0;

  // What is new.

  /// An eliminated front, all of whose factor stays.
  virtual void take_factor(NodeId node, const NumericFront<S>& front, const PivotCounts& counts) = 0;
  /// Its contribution block, if that leaves its task.
  virtual void take_block(NodeId node, const NumericFront<S>& front) = 0;
  /// The parent has read the block, whose memory is to be given back.
  virtual void let_go(NodeId node) = 0;
  /// Nothing follows: all that was handed over is stored, or never will be.
  virtual void finish() noexcept = 0;
};

}  // namespace frond
