// SPDX-License-Identifier: BSD-3-Clause
// Implements the sweeps as reactions to messages; the computation in a front is in front_solve.hpp.
#include "solver/distributed/ranks/rank_sweeps.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "frond/error.hpp"
#include "solver/numerics/sweeps/sweep_nodes.hpp"

namespace frond {
namespace {

template <class S>
bool is_zero(std::span<const S> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](S number) { return number == S(0); });
}

}  // namespace

template <Scalar S>
RankSweeps<S>::RankSweeps(const RankSystem<S>& system, Outbox& outbox)
    : system_(system),
      tree_(system.symbolic.tree()),
      outbox_(outbox),
      turns_(tree_, nodes_of_master(system.mapping, outbox.rank())),
      sides_(tree_, turns_.nodes()),
      eliminated_offsets_(at(tree_.num_nodes())),
      delayed_elsewhere_(at(tree_.num_nodes())),
      solutions_(at(tree_.num_nodes())),
      shares_(system_, outbox),
      root_(system_, outbox) {
  for (const NodeId node : turns_.nodes()) {
    eliminated_offsets_[at(node)] = num_eliminated_;
    num_eliminated_ += front(node).num_eliminated;
  }
}

template <Scalar S>
void RankSweeps<S>::start(const Sweep<S>& sweep) {
  const SweepPart part = sweep.part;
  x_ = sweep.x;
  num_answers_ = 0;
  const SolveRoute<S> route(system_.symbolic, system_.method, sweep.operation, system_.row_scaling, system_.col_scaling);
  std::vector<Rows> parts = rows_of_masters<S>(tree_, system_.mapping, x_.cols, [&](Index variable, S* to) {
    if (sweep.use == SchurUse::expand && is_kept(variable)) {
      route.load_unknown(x_, route.row_of_unknown(variable), to);
    } else if (has_first(part)) {
      const Index row = route.row_of_equation(variable);
      route.load(x_, row, row, to);
    } else {
      route.load_pivot(x_, system_.symbolic.row_perm()[at(variable)], to, part == SweepPart::second);
    }
  });
  const std::vector<NodeId> wanted = wanted_nodes(route, sweep.wanted);
  for (Rank rank = 1; rank < outbox_.num_ranks(); ++rank) {
    outbox_.send(rank, encoded(SolveMessage::right_sides, sweep.use, part, sweep.operation, x_.cols,
                               std::span<const NodeId>(wanted), parts[rank]));
  }
  take_right_sides(sweep.use, part, sweep.operation, x_.cols, wanted, std::move(parts[0]));
}

// The nodes whose variables are wanted, increasing; empty if all are.
template <Scalar S>
std::vector<NodeId> RankSweeps<S>::wanted_nodes(const SolveRoute<S>& route, std::span<const Index> rows) const {
  std::vector<NodeId> nodes;
  nodes.reserve(rows.size());
  for (const Index row : rows) {
    nodes.push_back(node_of(tree_, route.unknown_of(row)));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

template <Scalar S>
void RankSweeps<S>::start_backward(const EliminatedSides<S>& sides, Index begin, Index end, DenseView<S> x) {
  x_ = x;
  num_answers_ = 0;
  use_ = SchurUse::solve;
  part_ = SweepPart::whole;
  route_.emplace(system_.symbolic, system_.method, Operation::plain, system_.row_scaling, system_.col_scaling);
  num_rhs_ = end - begin;
  eliminated_.resize(static_cast<std::size_t>(num_eliminated_ * num_rhs_));
  delayed_elsewhere_ = sides.delayed_unknowns;
  for (const NodeId node : turns_.nodes()) {
    const Rows& rows = sides.rows[at(node)];
    frond::expect_rows(rows.size(), front(node).num_eliminated, sides.num_rhs);
    for (Index k = 0; k < front(node).num_eliminated; ++k) {
      std::copy_n(rows.data() + static_cast<Count>(k) * sides.num_rhs + begin, num_rhs_,
                  eliminated(node) + static_cast<Count>(k) * num_rhs_);
    }
  }
  turns_.begin();
  start_at_roots();
  run();
}

// Starts the backward sweep after the forward sweep.
template <Scalar S>
void RankSweeps<S>::start_at_roots() {
  for (const NodeId node : turns_.nodes()) {
    if (tree_.parent(node) != kNoParent) {
      continue;
    }
    if (is_on_grid(node)) {
      const Rows rows(eliminated(node), eliminated(node) + static_cast<Count>(front(node).num_eliminated) * num_rhs_);
      pass_grid({rows.data(), num_rhs_, front(node).num_eliminated, num_rhs_});
    } else {
      take_solution_of_parent(node, {});
    }
  }
}

template <Scalar S>
bool RankSweeps<S>::receive(SolveMessage kind, Rank from, ByteReader& reader) {
  switch (kind) {
    case SolveMessage::right_sides: {
      const auto use = reader.value<SchurUse>();
      const auto part = reader.value<SweepPart>();
      const auto operation = reader.value<Operation>();
      const auto num_rhs = reader.value<Index>();
      const std::vector<NodeId> wanted = reader.list<NodeId>();
      take_right_sides(use, part, operation, num_rhs, wanted, reader.list<S>());
      break;
    }
    case SolveMessage::contribution: {
      const NodeId node = read_node(reader);
      std::vector<Index> equations = reader.list<Index>();
      delayed_elsewhere_.at(at(node)) = reader.list<Index>();
      take_contribution(node, {std::move(equations), reader.list<S>()});
      break;
    }
    case SolveMessage::forward_rows:
    case SolveMessage::backward_rows: {
      const NodeId node = read_node(reader);
      shares_.answer(node, kind == SolveMessage::forward_rows ? SweepDirection::forward : SweepDirection::backward, from,
                     reader.list<S>());
      break;
    }
    case SolveMessage::enter_root: {
      const auto factors = reader.value<RootFactors>();
      const auto operation = reader.value<Operation>();
      const auto num_rhs = reader.value<Index>();
      root_.join(from, factors, operation, num_rhs);
      break;
    }
    case SolveMessage::root_solved:
      if (root_.take_answer()) {
        const NodeId node = system_.mapping.root_grid().node;
        root_.finish(part_, *route_, {eliminated(node), num_rhs_, front(node).num_eliminated, num_rhs_});
        leave_grid();
      }
      break;
    case SolveMessage::product: {
      const NodeId node = read_node(reader);
      shares_.take_product(node, from, reader.list<S>());
      if (shares_.is_complete(node)) {
        finish_shared(node);
      }
      break;
    }
    case SolveMessage::solution: {
      const NodeId node = read_node(reader);
      take_solution_of_parent(node, reader.list<S>());
      break;
    }
    case SolveMessage::unknowns: {
      const std::vector<Index> variables = reader.list<Index>();
      take_unknowns(variables, reader.list<S>());
      break;
    }
    default:
      return false;
  }
  reader.expect_end();
  run();
  return true;
}

template <Scalar S>
NodeId RankSweeps<S>::read_node(ByteReader& reader) const {
  const auto node = reader.value<NodeId>();
  check_node(node);
  return node;
}

template <Scalar S>
void RankSweeps<S>::check_node(NodeId node) const {
  if (node < 0 || node >= tree_.num_nodes()) {
    throw InternalError(fmt::format("a message between ranks names node {} of {}; do all processes solve the same system?", node,
                                    tree_.num_nodes()));
  }
}

template <Scalar S>
bool RankSweeps<S>::is_kept(Index variable) const {
  const NodeId node = tree_.schur_node();
  return node != kNoNode && variable >= tree_.variable_begin(node) &&
         variable < tree_.variable_begin(node) + tree_.num_fully_summed(node);
}

template <Scalar S>
void RankSweeps<S>::take_right_sides(SchurUse use, SweepPart part, Operation operation, Index num_rhs,
                                     std::span<const NodeId> wanted, Rows rows) {
  use_ = use;
  part_ = part;
  route_.emplace(system_.symbolic, system_.method, operation, system_.row_scaling, system_.col_scaling);
  num_rhs_ = num_rhs;
  if (!wanted.empty()) {
    std::vector<char> marked(at(tree_.num_nodes()));
    for (const NodeId node : wanted) {
      check_node(node);
      marked[at(node)] = 1;
    }
    visited_backward_ = with_ancestors(tree_, std::move(marked));
  }
  sides_.set(std::move(rows), num_rhs);
  eliminated_.resize(static_cast<std::size_t>(num_eliminated_ * num_rhs));
  turns_.begin_at_leaves();
  run();
}

// Does everything that can be done now.
template <Scalar S>
void RankSweeps<S>::run() {
  while (const std::optional<SweepTurns::Turn> turn = turns_.next()) {
    turn->is_forward ? forward(turn->node) : backward(turn->node);
  }
  if (turns_.is_over()) {
    finish_part();
  }
}

template <Scalar S>
void RankSweeps<S>::forward(NodeId node) {
  const FrontFactor<S>& factor = front(node);
  Rows rows = sides_.assemble(node, {incoming(factor), static_cast<std::size_t>(factor.num_fully_summed)}, places_);
  const DenseView<S> f = view_of(rows);
  if (node == tree_.schur_node()) {
    turn_at_schur_node(f);
    return;
  }
  if (is_on_grid(node)) {
    pass_grid(f);
    return;
  }
  if (!has_first(part_) || is_zero<S>(rows)) {
    finish_forward(node, f);
    return;
  }
  forward_solve<S>(factor, system_.method, route_->side(), f);
  if (is_shared_forward(system_.method, route_->side()) && shares_.has_slaves(node)) {
    share(node, SweepDirection::forward, std::move(rows));
  } else {
    finish_forward(node, f);
  }
}

template <Scalar S>
void RankSweeps<S>::finish_forward(NodeId node, DenseView<S> f) {
  const FrontFactor<S>& factor = front(node);
  const Index e = factor.num_eliminated;
  const Index p = factor.num_fully_summed;
  if (has_diagonal(part_)) {
    diagonal_solve<S>(factor, system_.method, f);
  }
  if (part_ == SweepPart::whole) {
    route_->turn(f.columns(0, e));
  }
  std::copy(f.column(0), f.column(e), eliminated(node));
  if (!is_visited_backward(node)) {
    turns_.leave();
  }
  const NodeId parent = tree_.parent(node);
  if (parent == kNoParent) {
    if (is_visited_backward(node)) {
      take_solution_of_parent(node, {});
    }
    return;
  }
  std::span<const S> rows(f.column(e), f.column(f.cols));
  if (is_zero(rows)) {
    rows = {};
  }
  const std::vector<Index> delayed(incoming(factor) + e, incoming(factor) + p);
  if (is_own(parent)) {
    take_contribution(node, {delayed, Rows(rows.begin(), rows.end())});
    return;
  }
  outbox_.send(system_.mapping.master(parent), encoded(SolveMessage::contribution, node, delayed, delayed_unknowns(node), rows));
}

// The root on a grid need not solve for right-hand sides of zeros, nor for the diagonal part: its D is the identity.
template <Scalar S>
void RankSweeps<S>::pass_grid(DenseView<const S> f) {
  const NodeId node = system_.mapping.root_grid().node;
  if (part_ != SweepPart::diagonal && !is_zero<S>({f.column(0), f.column(f.cols)})) {
    root_.call(f, part_, *route_);
    return;
  }
  std::copy(f.column(0), f.column(f.cols), eliminated(node));
  leave_grid();
}

// Called when the result of the grid is in the root's place among the eliminated rows.
template <Scalar S>
void RankSweeps<S>::leave_grid() {
  if (is_visited_backward(system_.mapping.root_grid().node)) {
    take_solution_of_parent(system_.mapping.root_grid().node, {});
  } else {
    turns_.leave();
  }
}

// The Schur node eliminates nothing: f holds the right-hand sides of the Schur complement.
template <Scalar S>
void RankSweeps<S>::turn_at_schur_node(DenseView<const S> f) {
  const NodeId node = tree_.schur_node();
  const auto length = static_cast<std::size_t>(static_cast<Count>(f.cols) * num_rhs_);
  Rows solution(length, S(0));
  if (use_ == SchurUse::expand) {
    solution.assign(sides_.own(node), sides_.own(node) + length);
    kept_ = solution;
  } else {
    kept_.assign(f.data, f.data + length);
  }
  take_solution_of_parent(node, std::move(solution));
}

template <Scalar S>
void RankSweeps<S>::take_contribution(NodeId node, SideContribution<S> contribution) {
  sides_.from(node) = std::move(contribution);
  turns_.take_contribution(node);
}

template <Scalar S>
void RankSweeps<S>::take_solution_of_parent(NodeId node, Rows rows) {
  solutions_[at(node)] = std::move(rows);
  turns_.take_solution(node);
}

template <Scalar S>
void RankSweeps<S>::backward(NodeId node) {
  const FrontFactor<S>& factor = front(node);
  const Index order = factor.num_fully_summed + tree_.cb_order(node);
  const Rows solution = std::exchange(solutions_[at(node)], {});
  expect_rows(solution, order - factor.num_eliminated);
  Rows rows;
  rows.reserve(static_cast<std::size_t>(static_cast<Count>(order) * num_rhs_));
  rows.assign(eliminated(node), eliminated(node) + static_cast<Count>(factor.num_eliminated) * num_rhs_);
  rows.insert(rows.end(), solution.begin(), solution.end());
  if (is_shared_backward(system_.method, route_->side()) && shares_.has_slaves(node) && !is_zero<S>(rows)) {
    share(node, SweepDirection::backward, std::move(rows));
  } else {
    finish_backward(node, view_of(rows));
  }
}

template <Scalar S>
void RankSweeps<S>::finish_backward(NodeId node, DenseView<S> f) {
  const FrontFactor<S>& factor = front(node);
  if (!is_on_grid(node) && !is_zero<S>({f.column(0), f.column(f.cols)})) {
    backward_solve<S>(factor, system_.method, route_->side(), f);
  }
  std::copy(f.column(0), f.column(factor.num_eliminated), eliminated(node));
  places_.set(tree_.variable_begin(node), tree_.num_fully_summed(node),
              {route_->unknowns(factor), static_cast<std::size_t>(factor.num_fully_summed)});
  for (const NodeId child : tree_.children(node)) {
    if (is_visited_backward(child)) {
      pass_solution(child, f);
    }
  }
  turns_.leave();
}

// The delayed unknowns of an own node, or of a child of one.
template <Scalar S>
std::span<const Index> RankSweeps<S>::delayed_unknowns(NodeId child) const {
  if (!is_own(child)) {
    return delayed_elsewhere_[at(child)];
  }
  const FrontFactor<S>& factor = front(child);
  return {route_->unknowns(factor) + factor.num_eliminated, static_cast<std::size_t>(factor.num_delayed())};
}

template <Scalar S>
void RankSweeps<S>::pass_solution(NodeId child, DenseView<const S> f) {
  Rows rows;
  const auto append = [&](Index place) { rows.insert(rows.end(), f.column(place), f.column(place) + num_rhs_); };
  const std::span<const Index> delayed = delayed_unknowns(child);
  rows.reserve((delayed.size() + at(tree_.cb_order(child))) * static_cast<std::size_t>(num_rhs_));
  for (const Index variable : delayed) {
    append(places_.of_variable(variable));
  }
  for (const Index position : tree_.relative_indices(child)) {
    append(places_.of_position(position));
  }
  if (is_own(child)) {
    take_solution_of_parent(child, std::move(rows));
  } else {
    outbox_.send(system_.mapping.master(child), encoded(SolveMessage::solution, child, rows));
  }
}

template <Scalar S>
void RankSweeps<S>::share(NodeId node, SweepDirection direction, Rows f) {
  shares_.ask(node, {direction, num_rhs_, std::move(f)});
  if (shares_.is_complete(node)) {
    finish_shared(node);
  }
}

template <Scalar S>
void RankSweeps<S>::finish_shared(NodeId node) {
  SharedRows<S> shared = shares_.finish(node);
  if (shared.direction == SweepDirection::forward) {
    finish_forward(node, view_of(shared.rows));
  } else {
    finish_backward(node, view_of(shared.rows));
  }
}

// The next solve may begin before rank 0's message about it has arrived: nothing of this one may be left.
template <Scalar S>
void RankSweeps<S>::finish_part() {
  std::vector<Index> variables;
  variables.reserve(static_cast<std::size_t>(num_eliminated_));
  S* to = eliminated_.data();  // known values move to the front
  for (const NodeId node : turns_.nodes()) {
    if (has_second(part_) && !is_visited_backward(node)) {
      continue;
    }
    const Index num_eliminated = front(node).num_eliminated;
    const Index* names = outgoing(front(node));
    variables.insert(variables.end(), names, names + num_eliminated);
    const S* const from = eliminated(node);
    to = to == from ? to + static_cast<Count>(num_eliminated) * num_rhs_
                    : std::copy_n(from, static_cast<Count>(num_eliminated) * num_rhs_, to);
  }
  eliminated_.resize(static_cast<std::size_t>(to - eliminated_.data()));
  Rows values = std::exchange(eliminated_, {});
  if (const NodeId node = tree_.schur_node(); node != kNoNode && is_own(node)) {
    for (Index k = 0; k < tree_.num_fully_summed(node); ++k) {
      variables.push_back(tree_.variable_begin(node) + k);
    }
    values.insert(values.end(), kept_.begin(), kept_.end());
  }
  visited_backward_.clear();
  turns_.end();
  if (outbox_.rank() == 0) {
    take_unknowns(variables, values);
    return;
  }
  outbox_.send(0, encoded(SolveMessage::unknowns, variables, values));
}

template <Scalar S>
void RankSweeps<S>::take_unknowns(const std::vector<Index>& variables, const Rows& rows) {
  expect_rows(rows, static_cast<Count>(variables.size()));
  const S* from = rows.data();
  for (const Index variable : variables) {
    if (variable < 0 || variable >= x_.rows) {
      throw InternalError(
          fmt::format("a rank has solved for variable {} of {}; do all processes solve the same system?", variable, x_.rows));
    }
    if (use_ == SchurUse::condense && is_kept(variable)) {
      route_->store_equation(from, x_, route_->row_of_equation(variable));
    } else if (has_second(part_)) {
      const Index row = route_->row_of_unknown(variable);
      route_->store(from, x_, row, row);
    } else {
      route_->store_pivot(from, x_, system_.symbolic.row_perm()[at(variable)]);
    }
    from += num_rhs_;
  }
  ++num_answers_;
}

template <Scalar S>
bool RankSweeps<S>::take_solution() {
  if (num_answers_ < outbox_.num_ranks()) {
    return false;
  }
  num_answers_ = 0;
  return true;
}

FROND_INSTANTIATE_CLASS(RankSweeps)

}  // namespace frond
