// SPDX-License-Identifier: BSD-3-Clause
// Observers of factors while they are computed.
#pragma once

#include <span>
#include <vector>

#include "factorization/distributed/rank_factors.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "loadinfo/messages/byte_stream.hpp"

namespace frond {

/// Called for every front when it has been eliminated, while all of its factor is in memory: by the worker that has eliminated it,
/// after the front's children, possibly for different fronts at the same time.
template <Scalar S>
class FrontWatcher {
 public:
  virtual ~FrontWatcher() = default;
  virtual void on_eliminated(NodeId node, const FrontFactor<S>& front) = 0;
};

/// The same on one of several ranks, for right-hand sides that are eliminated with the matrix. It is called for the fronts whose
/// master the rank is; for the root on a grid only where one rank has factorized it after all. What a front leaves of the
/// right-hand sides goes from its master to its parent's, before anything of the parent begins.
///
/// The slaves of a row-distributed front hold a part of the factor:
///
///   master   on_rows_eliminated() ── numbers of the eliminated positions ──► slaves
///   slaves   product_of_rows() ── what their rows add ──► master: add_product(), and when all have arrived on_eliminated()
///
/// Calls for different fronts may come at the same time, those for one front one after the other.
template <Scalar S>
class RankFrontWatcher : public FrontWatcher<S> {
 public:
  /// Called when the master's rows of a row-distributed front are eliminated; returns the numbers for the slaves.
  [[nodiscard]] virtual std::vector<S> on_rows_eliminated(NodeId node, const FrontFactor<S>& front) = 0;

  /// Takes a slave's part, all of whose columns are still in memory, and the result of on_rows_eliminated() on its master.
  [[nodiscard]] virtual std::vector<S> product_of_rows(const RowFactor<S>& rows, std::span<const S> eliminated) const = 0;
  virtual void add_product(NodeId node, const RowShare& share, std::span<const S> product) = 0;

  /// Writes what an eliminated node leaves to a parent that has another master; there, take_contribution() reads it.
  virtual void write_contribution(NodeId node, ByteWriter& writer) = 0;
  virtual void take_contribution(NodeId node, ByteReader& reader) = 0;
};

}  // namespace frond
