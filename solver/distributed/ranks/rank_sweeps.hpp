// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in the triangular solves over several ranks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "matrices/products.hpp"
#include "solver/distributed/ranks/eliminated_sides.hpp"
#include "solver/distributed/ranks/front_places.hpp"
#include "solver/distributed/ranks/front_shares.hpp"
#include "solver/distributed/ranks/front_sides.hpp"
#include "solver/distributed/ranks/grid_root_sweep.hpp"
#include "solver/distributed/ranks/rank_system.hpp"
#include "solver/distributed/ranks/solve_message.hpp"
#include "solver/distributed/ranks/sweep_turns.hpp"
#include "solver/distributed/ranks/sweeps.hpp"
#include "solver/numerics/sweeps/solve_route.hpp"

namespace frond {

/// The sweeps go up and down the tree from master to master. Forward, a front starts when the contributions of its children have
/// arrived; backward, when the solution of its parent has. A right-hand side whose variable was delayed travels with the
/// contribution until it meets the front that eliminates it, and its solution comes back the same way. Slaves of row-distributed
/// fronts help (FrontShares), and so do the ranks of the root's grid (GridRootSweep).
///
/// In a partial solve (SweepPart) the sweeps that do not belong to it only carry numbers to the fronts that eliminate them, or are
/// omitted. Fronts that receive only zeros pass them on without arithmetic, and without involving slaves. Backward, fronts that do
/// not lead to wanted unknowns are not visited.
///
/// Rank 0 announces what is solved, and each rank has finished its part before rank 0 has the result: so solves follow each other
/// without synchronization, though messages of the next one may overtake rank 0's. The order of all sums depends on the mapping and
/// the shares alone.
///
/// Each call computes everything that it can before it returns, large products by the threads of the calling arena; the caller
/// holds a BlasThreadsGuard.
template <Scalar S>
class RankSweeps final : public Sweeps<S> {
 public:
  /// `outbox` must outlive this object.
  RankSweeps(const RankSystem<S>& system, Outbox& outbox);

  /// As solve_with_factors() does; factors that leave a Schur complement only condense, with the unknowns of its variables taken
  /// for 0, and expand.
  void start(const Sweep<S>& sweep) override;

  /// On every rank, solves with A from the result of the forward sweep: the columns [begin, end) of `sides`, which may be a part of
  /// those that were eliminated. x counts on rank 0, where it becomes the solution.
  void start_backward(const EliminatedSides<S>& sides, Index begin, Index end, DenseView<S> x);
  [[nodiscard]] bool take_solution() override;
  [[nodiscard]] bool receive(SolveMessage kind, Rank from, ByteReader& reader) override;
  void on_room() override { root_.enter(); }
  void abandon(SolveMessage kind) override { root_.abandon(kind == SolveMessage::enter_root); }

 private:
  using Rows = std::vector<S>;  // column by column of a DenseView with num_rhs_ rows: one column per row of a front

  [[nodiscard]] std::vector<NodeId> wanted_nodes(const SolveRoute<S>& route, std::span<const Index> rows) const;
  void take_right_sides(SchurUse use, SweepPart part, Operation operation, Index num_rhs, std::span<const NodeId> wanted,
                        Rows rows);
  void turn_at_schur_node(DenseView<const S> f);
  [[nodiscard]] bool is_kept(Index variable) const;
  void take_contribution(NodeId node, SideContribution<S> contribution);
  void take_solution_of_parent(NodeId node, Rows rows);
  void take_unknowns(const std::vector<Index>& variables, const Rows& rows);

  void start_at_roots();
  void run();
  void forward(NodeId node);
  void finish_forward(NodeId node, DenseView<S> f);
  void backward(NodeId node);
  void finish_backward(NodeId node, DenseView<S> f);
  void pass_solution(NodeId child, DenseView<const S> f);
  void pass_grid(DenseView<const S> f);
  void leave_grid();
  void share(NodeId node, SweepDirection direction, Rows f);
  void finish_shared(NodeId node);
  void finish_part();

  [[nodiscard]] static std::size_t at(NodeId node) { return static_cast<std::size_t>(node); }
  [[nodiscard]] const FrontFactor<S>& front(NodeId node) const { return system_.factors.fronts[at(node)]; }
  [[nodiscard]] bool is_on_grid(NodeId node) const { return system_.factors.root && system_.mapping.root_grid().node == node; }
  [[nodiscard]] bool is_own(NodeId node) const { return system_.mapping.master(node) == outbox_.rank(); }
  // Whether the backward sweep visits the node.
  [[nodiscard]] bool is_visited_backward(NodeId node) const {
    return has_second(part_) && (visited_backward_.empty() || visited_backward_[at(node)] != 0);
  }
  // The rows that arrive at a front, and wait in it for the backward sweep, belong to equations, or to pivots, which their rows
  // name.
  [[nodiscard]] const Index* incoming(const FrontFactor<S>& factor) const {
    return has_first(part_) ? route_->equations(factor) : factor.row_variables;
  }
  [[nodiscard]] const Index* outgoing(const FrontFactor<S>& factor) const {
    return has_second(part_) ? route_->unknowns(factor) : factor.row_variables;
  }
  [[nodiscard]] DenseView<S> view_of(Rows& rows) const {
    return {rows.data(), num_rhs_, static_cast<Index>(static_cast<Count>(rows.size()) / num_rhs_), num_rhs_};
  }
  void expect_rows(const Rows& rows, Count num_rows) const { frond::expect_rows(rows.size(), num_rows, num_rhs_); }
  [[nodiscard]] std::span<const Index> delayed_unknowns(NodeId child) const;
  [[nodiscard]] S* eliminated(NodeId node) { return eliminated_.data() + eliminated_offsets_[at(node)] * num_rhs_; }
  [[nodiscard]] NodeId read_node(ByteReader& reader) const;
  void check_node(NodeId node) const;

  RankSystem<S> system_;
  const AssemblyTree& tree_;
  Outbox& outbox_;
  SweepTurns turns_;  // of own nodes
  FrontSides<S> sides_;
  std::vector<Count> eliminated_offsets_;  // of an own node: where its rows begin in eliminated_
  Count num_eliminated_ = 0;               // its rows

  SweepPart part_ = SweepPart::whole;
  SchurUse use_ = SchurUse::solve;
  std::optional<SolveRoute<S>> route_;
  Index num_rhs_ = 0;
  std::vector<char> visited_backward_;                 // [node]; empty: all
  Rows eliminated_;                                    // of own nodes: right-hand sides, then the solution
  Rows kept_;                                          // of the Schur node, if it is an own one: what X will get
  std::vector<std::vector<Index>> delayed_elsewhere_;  // unknowns, by a child that has another master
  std::vector<Rows> solutions_;                        // of the parent, by child; those received but not used
  FrontShares<S> shares_;
  GridRootSweep<S> root_;
  FrontPlaces places_;  // of the front being assembled or left

  DenseView<S> x_;        // rank 0
  Rank num_answers_ = 0;  // rank 0: ranks whose part of the solution is in x_
};

}  // namespace frond
