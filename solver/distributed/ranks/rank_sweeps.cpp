// SPDX-License-Identifier: BSD-3-Clause
// Implements the sweeps as reactions to messages; the computation in a front is in front_solve.hpp.
#include "solver/distributed/ranks/rank_sweeps.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "solver/distributed/ranks/rank_sweeps_start.hpp"
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
      right_side_offsets_(at(tree_.num_nodes())),
      eliminated_offsets_(at(tree_.num_nodes())),
      children_left_(at(tree_.num_nodes())),
      contributions_(at(tree_.num_nodes())),
      delayed_elsewhere_(at(tree_.num_nodes())),
      solutions_(at(tree_.num_nodes())),
      shares_(system_, outbox),
      root_(system_, outbox) {
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    if (is_own(node)) {
      own_nodes_.push_back(node);
      right_side_offsets_[at(node)] = num_right_sides_;
      eliminated_offsets_[at(node)] = num_eliminated_;
      num_right_sides_ += tree_.num_fully_summed(node);
      num_eliminated_ += front(node).num_eliminated;
    }
  }
  reset();
}

template <Scalar S>
bool RankSweeps<S>::receive(SolveMessage kind, Rank from, ByteReader& reader) {
  switch (kind) {
    case SolveMessage::right_sides: {
      const auto step = reader.value<SchurStep>();
      const auto part = reader.value<SweepPart>();
      const auto operation = reader.value<Operation>();
      const auto num_rhs = reader.value<Index>();
      const std::vector<NodeId> wanted = reader.list<NodeId>();
      take_right_sides(step, part, operation, num_rhs, wanted, reader.list<S>());
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
      shares_.answer(node, kind == SolveMessage::forward_rows ? Sweep::forward : Sweep::backward, from, reader.list<S>());
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
DenseView<S> RankSweeps<S>::view_of(Rows& rows) const {
  return {rows.data(), num_rhs_, static_cast<Index>(static_cast<Count>(rows.size()) / num_rhs_), num_rhs_};
}

template <Scalar S>
bool RankSweeps<S>::is_kept(Index variable) const {
  const NodeId node = tree_.schur_node();
  return node != kNoNode && variable >= tree_.variable_begin(node) &&
         variable < tree_.variable_begin(node) + tree_.num_fully_summed(node);
}

template <Scalar S>
void RankSweeps<S>::take_right_sides(SchurStep step, SweepPart part, Operation operation, Index num_rhs,
                                     std::span<const NodeId> wanted, Rows rows) {
  step_ = step;
  part_ = part;
  route_.emplace(system_.symbolic, system_.method, operation, system_.row_scaling, system_.col_scaling);
  num_rhs_ = num_rhs;
  visit_backward(wanted);
  expect_rows(rows, num_right_sides_);
  right_sides_ = std::move(rows);
  eliminated_.resize(static_cast<std::size_t>(num_eliminated_ * num_rhs));
  has_right_sides_ = true;
  for (const NodeId node : own_nodes_) {
    if (tree_.children(node).empty()) {
      ready_forward_.push(node);
    }
  }
  run();
}

// Does everything that can be done now. Visits fronts in postorder, so that few contributions wait at a time.
template <Scalar S>
void RankSweeps<S>::run() {
  while (has_right_sides_ && !(ready_forward_.empty() && ready_backward_.empty())) {
    if (!ready_forward_.empty()) {
      const NodeId node = ready_forward_.top();
      ready_forward_.pop();
      forward(node);
    } else {
      const NodeId node = ready_backward_.top();
      ready_backward_.pop();
      backward(node);
    }
  }
  if (has_right_sides_ && num_fronts_left_ == 0) {
    finish_part();
  }
}

template <Scalar S>
void RankSweeps<S>::forward(NodeId node) {
  const FrontFactor<S>& factor = front(node);
  Rows rows(static_cast<std::size_t>(static_cast<Count>(factor.num_fully_summed + tree_.cb_order(node)) * num_rhs_));
  const DenseView<S> f = view_of(rows);
  assemble(node, f);
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
    share(node, Sweep::forward, std::move(rows));
  } else {
    finish_forward(node, f);
  }
}

// f is initially zero.
template <Scalar S>
void RankSweeps<S>::assemble(NodeId node, DenseView<S> f) {
  places_.set(tree_.variable_begin(node), tree_.num_fully_summed(node),
              {incoming(front(node)), static_cast<std::size_t>(front(node).num_fully_summed)});
  assemble_right_sides<S>(tree_, node, right_sides_.data() + right_side_offsets_[at(node)] * num_rhs_, contributions_, places_, f);
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
    --num_fronts_left_;
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
    --num_fronts_left_;
  }
}

// The Schur node eliminates nothing: f holds the right-hand sides of the Schur complement.
template <Scalar S>
void RankSweeps<S>::turn_at_schur_node(DenseView<const S> f) {
  const NodeId node = tree_.schur_node();
  const auto length = static_cast<std::size_t>(static_cast<Count>(f.cols) * num_rhs_);
  Rows solution(length, S(0));
  if (step_ == SchurStep::expand) {
    const S* given = right_sides_.data() + right_side_offsets_[at(node)] * num_rhs_;
    solution.assign(given, given + length);
    kept_ = solution;
  } else {
    kept_.assign(f.data, f.data + length);
  }
  take_solution_of_parent(node, std::move(solution));
}

template <Scalar S>
void RankSweeps<S>::abandon(SolveMessage kind) {
  root_.abandon(kind == SolveMessage::enter_root);
}

template <Scalar S>
void RankSweeps<S>::take_contribution(NodeId node, SideContribution<S> contribution) {
  contributions_[at(node)] = std::move(contribution);
  const NodeId parent = tree_.parent(node);
  if (--children_left_.at(at(parent)) == 0) {
    ready_forward_.push(parent);
  }
}

template <Scalar S>
void RankSweeps<S>::take_solution_of_parent(NodeId node, Rows rows) {
  solutions_[at(node)] = std::move(rows);
  ready_backward_.push(node);
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
    share(node, Sweep::backward, std::move(rows));
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
  --num_fronts_left_;
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
    send_rows<S>(outbox_, SolveMessage::solution, system_.mapping.master(child), child, rows);
  }
}

template <Scalar S>
void RankSweeps<S>::share(NodeId node, Sweep sweep, Rows f) {
  shares_.ask(node, {sweep, num_rhs_, std::move(f)});
  if (shares_.is_complete(node)) {
    finish_shared(node);
  }
}

template <Scalar S>
void RankSweeps<S>::finish_shared(NodeId node) {
  SharedRows<S> shared = shares_.finish(node);
  if (shared.sweep == Sweep::forward) {
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
  for (const NodeId node : own_nodes_) {
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
  reset();
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
    if (step_ == SchurStep::condense && is_kept(variable)) {
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
