// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in the triangular solves over several ranks.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "factorization/root_solver.hpp"
#include "matrices/dense_matrix.hpp"
#include "matrices/products.hpp"
#include "solver/eliminated_sides.hpp"
#include "solver/front_places.hpp"
#include "solver/front_sides.hpp"
#include "solver/rank_system.hpp"
#include "solver/solve_message.hpp"
#include "solver/solve_route.hpp"
#include "solver/sweeps.hpp"

namespace frond {

/// What becomes of the variables of a Schur complement between the sweeps.
enum class SchurStep : std::uint8_t {
  none,      ///< there are none
  condense,  ///< X has in their rows what the forward sweep has made of their right-hand sides; the backward sweep takes them for 0
  expand     ///< X holds their solution in the place of right-hand sides
};

/// The sweeps go up and down the tree from master to master. Forward, a front starts when the contributions of its children are
/// here; backward, when the solution of its parent is. A right-hand side whose variable was delayed travels with the contribution
/// until it meets the front that eliminates it, and its solution comes back the same way. Slaves of row-distributed fronts keep
/// nothing between messages: they answer what a master asks with their rows of the factor. The root on a grid is solved with by all
/// ranks of the grid at once (RootSolver), in a whole solve forward and backward in one; the others are in it until its master
/// joins them.
///
/// Of a part of a solve (SweepPart) the sweeps that do not belong to it only carry numbers to the fronts that eliminate them, or
/// are left out. Fronts that only zeros come to are passed through without arithmetic, and nobody is asked for his part. Backward,
/// fronts that do not lead to unknowns that are wanted are not visited.
///
/// Rank 0 says what is solved, and each rank's part is over before rank 0 has the answer: so solves follow each other without a
/// word, though messages of the next one may overtake rank 0's. The order of all sums depends on the mapping and the shares alone.
///
/// Everything that can be computed is computed before a call returns, large products by the threads of the calling arena; whoever
/// calls holds a BlasThreadsGuard.
template <Scalar S>
class RankSweeps final : public Sweeps<S> {
 public:
  /// `outbox` must outlive this object.
  RankSweeps(const RankSystem<S>& system, Outbox& outbox);

  void want(std::span<const Index> rows) override { wanted_rows_.assign(rows.begin(), rows.end()); }

  /// As solve_with_part() does.
  void start(SweepPart part, Operation operation, DenseView<S> x) override { start_step(SchurStep::none, part, operation, x); }
  void start_step(SchurStep step, SweepPart part, Operation operation, DenseView<S> x);

  /// On every rank, to solve with A what the forward sweep has left: the columns [begin, end) of `sides`, which may be part of what
  /// was eliminated. x counts on rank 0, where it becomes the solution.
  void start_backward(const EliminatedSides<S>& sides, Index begin, Index end, DenseView<S> x);
  [[nodiscard]] bool take_solution() override;
  [[nodiscard]] bool receive(SolveMessage kind, Rank from, ByteReader& reader) override;
  void on_room() override { enter_root(); }
  void abandon(SolveMessage kind) override;

 private:
  using Rows = std::vector<S>;  // column by column of a DenseView with num_rhs_ rows: one column per row of a front

  enum class Sweep { forward, backward };
  struct SharedFront {  // waits for slaves
    Sweep sweep;
    Rows f;
    std::vector<Rows> products;  // of the shares
    Index num_missing = 0;
  };

  void reset();
  [[nodiscard]] std::vector<NodeId> wanted_nodes(const SolveRoute<S>& route);
  void take_right_sides(SchurStep step, SweepPart part, Operation operation, Index num_rhs, std::span<const NodeId> wanted,
                        Rows rows);
  void visit_backward(std::span<const NodeId> wanted);
  void turn_at_schur_node(DenseView<const S> f);
  [[nodiscard]] bool is_kept(Index variable) const;
  void take_contribution(NodeId node, SideContribution<S> contribution);
  void take_product(NodeId node, Rank from, Rows product);
  void take_solution_of_parent(NodeId node, Rows rows);
  void take_unknowns(const std::vector<Index>& variables, const Rows& rows);

  void start_at_roots();
  void run();
  void forward(NodeId node);
  void assemble(NodeId node, DenseView<S> f);
  void finish_forward(NodeId node, DenseView<S> f);
  void backward(NodeId node);
  void finish_backward(NodeId node, DenseView<S> f);
  void pass_solution(NodeId child, DenseView<const S> f);
  void pass_grid(DenseView<const S> f);
  void call_grid(DenseView<const S> f);
  void enter_root();
  void join_root(Rank master, RootFactors factors, Operation operation, Index num_rhs);
  void finish_root();
  void leave_grid();
  [[nodiscard]] DenseView<S> view_of_root() {
    return {root_rhs_.values.data(), root_rhs_.num_rows, num_rhs_, std::max(root_rhs_.num_rows, Index{1})};
  }
  void share(NodeId node, Sweep sweep, Rows f);
  void finish_shared(NodeId node);
  [[nodiscard]] Rows slave_product(NodeId node, Sweep sweep, const Rows& rows) const;
  void finish_part();

  [[nodiscard]] static std::size_t at(NodeId node) { return static_cast<std::size_t>(node); }
  [[nodiscard]] const FrontFactor<S>& front(NodeId node) const { return system_.factors.fronts[at(node)]; }
  [[nodiscard]] bool has_slaves(NodeId node) const {
    return front(node).num_eliminated > 0 && system_.factors.shares.contains(node);
  }
  [[nodiscard]] bool is_on_grid(NodeId node) const { return system_.factors.root && system_.mapping.root_grid().node == node; }
  [[nodiscard]] bool is_own(NodeId node) const { return system_.mapping.master(node) == outbox_.rank(); }
  // Whether the backward sweep comes there.
  [[nodiscard]] bool is_visited_backward(NodeId node) const {
    return has_second(part_) && (visited_backward_.empty() || visited_backward_[at(node)] != 0);
  }
  // What comes to a front, and waits in it for the backward sweep, belongs to equations, or to pivots, which their rows name.
  [[nodiscard]] const Index* incoming(const FrontFactor<S>& factor) const {
    return has_first(part_) ? route_->equations(factor) : factor.row_variables;
  }
  [[nodiscard]] const Index* outgoing(const FrontFactor<S>& factor) const {
    return has_second(part_) ? route_->unknowns(factor) : factor.row_variables;
  }
  [[nodiscard]] DenseView<S> view_of(Rows& rows) const;
  void expect_rows(const Rows& rows, Count num_rows) const { frond::expect_rows(rows.size(), num_rows, num_rhs_); }
  [[nodiscard]] std::span<const Index> delayed_unknowns(NodeId child) const;
  [[nodiscard]] S* eliminated(NodeId node) { return eliminated_.data() + eliminated_offsets_[at(node)] * num_rhs_; }
  [[nodiscard]] NodeId read_node(ByteReader& reader) const;
  void check_node(NodeId node) const;
  void send_rows(SolveMessage kind, Rank to, NodeId node, std::span<const S> rows);

  RankSystem<S> system_;
  const AssemblyTree& tree_;
  Outbox& outbox_;
  std::vector<NodeId> own_nodes_;          // increasing
  std::vector<Count> right_side_offsets_;  // of an own node: where its rows begin in right_sides_
  std::vector<Count> eliminated_offsets_;  // and in eliminated_
  Count num_right_sides_ = 0;              // rows of each
  Count num_eliminated_ = 0;

  SweepPart part_ = SweepPart::whole;
  SchurStep step_ = SchurStep::none;
  std::optional<SolveRoute<S>> route_;
  Index num_rhs_ = 0;
  std::vector<Index> wanted_rows_;      // rank 0: of the next solve
  std::vector<char> visited_backward_;  // [node]; empty: all
  bool has_right_sides_ = false;
  Rows right_sides_;                                   // of own nodes' variables
  Rows eliminated_;                                    // of own nodes: right-hand sides, then the solution
  Rows kept_;                                          // of the Schur node, if it is an own one: what X is to have
  std::vector<Index> children_left_;                   // of a node: children whose contributions are not here
  std::vector<SideContribution<S>> contributions_;     // by child; those that are here and not assembled
  std::vector<std::vector<Index>> delayed_elsewhere_;  // unknowns, by a child that has another master
  std::vector<Rows> solutions_;                        // of the parent, by child; those that are here and not used
  std::unordered_map<NodeId, SharedFront> shared_;
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready_forward_;
  std::priority_queue<NodeId> ready_backward_;
  DenseMatrix<S> root_rhs_;  // of the root on a grid, of which this rank is the master
  bool is_root_called_ = false;
  Rank num_in_root_ = 0;  // other ranks of the grid that have not answered
  std::size_t num_fronts_left_ = 0;
  FrontPlaces places_;  // of the front being assembled or left

  DenseView<S> x_;        // rank 0
  Rank num_answers_ = 0;  // rank 0: ranks whose part of the solution is in x_
};

}  // namespace frond
