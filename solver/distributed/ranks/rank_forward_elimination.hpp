// SPDX-License-Identifier: BSD-3-Clause
// Eliminates right-hand sides together with the matrix on one rank among several.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "factorization/distributed/front_watcher.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "solver/distributed/ranks/eliminated_sides.hpp"
#include "solver/distributed/ranks/front_sides.hpp"

namespace frond {

/// ForwardElimination over several ranks: LU's forward sweep for A X = B, by the masters of the fronts with their slaves, during
/// the factorization. RankSweeps::start_backward() takes its result. All columns of B are eliminated together.
template <Scalar S>
class RankForwardElimination final : public RankFrontWatcher<S> {
 public:
  /// `symbolic` and `mapping` must outlive this object. Large products are shared among `num_threads`.
  RankForwardElimination(const Symbolic& symbolic, const Mapping& mapping, Rank rank, Index num_rhs, int num_threads);
  ~RankForwardElimination() override;
  RankForwardElimination(const RankForwardElimination&) = delete;
  RankForwardElimination& operator=(const RankForwardElimination&) = delete;

  /// Before the factorization: takes the columns of B from `first` on, in the layout of rows_of_masters() for this rank, scaled,
  /// `width` numbers a row. Rows that are not loaded are zero.
  void load(Index first, Index width, std::span<const S> rows) { sides_.load(first, width, rows); }

  void on_eliminated(NodeId node, const FrontFactor<S>& front) override;
  [[nodiscard]] std::vector<S> on_rows_eliminated(NodeId node, const FrontFactor<S>& front) override;
  [[nodiscard]] std::vector<S> product_of_rows(const RowFactor<S>& rows, std::span<const S> eliminated) const override;
  void add_product(NodeId node, const RowShare& share, std::span<const S> product) override;
  void write_contribution(NodeId node, ByteWriter& writer) override;
  void take_contribution(NodeId node, ByteReader& reader) override;

  /// After the factorization that made `factors`: returns the sides, with the right-hand sides of a root on a grid on its master.
  [[nodiscard]] EliminatedSides<S> finish(const RankFactors<S>& factors);

 private:
  using Rows = std::vector<S>;
  struct Threads;

  [[nodiscard]] DenseView<S> view_of(Rows& rows) const;
  [[nodiscard]] Rows assemble(NodeId node, const FrontFactor<S>& front);
  [[nodiscard]] static std::size_t at(NodeId node) { return static_cast<std::size_t>(node); }

  const AssemblyTree& tree_;
  const Mapping& mapping_;
  Rank rank_;
  Index num_rhs_;
  std::unique_ptr<Threads> threads_;
  FrontSides<S> sides_;
  std::vector<Rows> shared_;  // [own node] = the rows sent to its slaves
  EliminatedSides<S> eliminated_;
};

}  // namespace frond
