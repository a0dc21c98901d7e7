// SPDX-License-Identifier: BSD-3-Clause
// Right-hand sides that are eliminated together with the matrix on one rank among several.
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

//   child's master                   parent's master                               parent's slaves
//   ── announce, with rows of B ──►  all children announced: B's rows of the front
//      that it contributes           fully summed rows eliminated: y1 = N11^-T b1
//                                    all slaves have followed the panels ── y1 ──►  - N12^T(J) y1; then N12^T(J) is given back
//                                    b2 += ◄──────────────────────────────────────
//                                    announce, and so on
//
// The announcement comes before anything of the parent begins: so contributions to B are there when a front is.

/// ForwardElimination over several ranks: LU's forward sweep for A X = B, by the masters of the fronts with their slaves, in the
/// course of the factorization. What comes of it is what RankSweeps::start_backward() takes. All columns of B are eliminated
/// together.
template <Scalar S>
class RankForwardElimination final : public RankFrontWatcher<S> {
 public:
  /// `symbolic` and `mapping` outlive this object. Large products are shared among `num_threads`.
  RankForwardElimination(const Symbolic& symbolic, const Mapping& mapping, Rank rank, Index num_rhs, int num_threads);
  ~RankForwardElimination() override;
  RankForwardElimination(const RankForwardElimination&) = delete;
  RankForwardElimination& operator=(const RankForwardElimination&) = delete;

  /// Before the factorization: the columns of B from `first` on, as rows_of_masters() has them for this rank, scaled, `width`
  /// numbers a row. What is not loaded is zero.
  void load(Index first, Index width, std::span<const S> rows);

  void on_eliminated(NodeId node, const FrontFactor<S>& front) override;
  [[nodiscard]] std::vector<S> on_rows_eliminated(NodeId node, const FrontFactor<S>& front) override;
  [[nodiscard]] std::vector<S> product_of_rows(const RowFactor<S>& rows, std::span<const S> eliminated) const override;
  void add_product(NodeId node, const RowShare& share, std::span<const S> product) override;
  void write_contribution(NodeId node, ByteWriter& writer) override;
  void take_contribution(NodeId node, ByteReader& reader) override;

  /// After the factorization, whose factors these are: with the right-hand sides of the root on a grid, for its master.
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
  std::vector<Count> right_side_offsets_;           // [own node] = its first row in right_sides_
  Count num_right_sides_ = 0;                       // rows
  Rows right_sides_;                                // of own nodes' variables
  std::vector<Rows> shared_;                        // [own node] = what its slaves are asked about
  std::vector<SideContribution<S>> contributions_;  // [child]; those that are here and not assembled
  EliminatedSides<S> eliminated_;
};

}  // namespace frond
