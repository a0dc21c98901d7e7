// SPDX-License-Identifier: BSD-3-Clause
// Loads, sweeps and stores.
#include "solver/numerics/sweeps/tree_solve.hpp"

#include <tbb/parallel_for.h>

#include <functional>

#include "solver/numerics/sweeps/front_solve.hpp"

namespace frond {
namespace {

constexpr Index kPermuteGrain = 4096;  // rows permuted by one task
constexpr Index kPermuteWidth = 8;     // columns permuted at a time: a cache line of doubles
constexpr NodeId kNodeGrain = 256;     // nodes processed by one task
constexpr NodeId kNodesAhead = 3;      // distance from a node to the prefetched one
constexpr Count kFetchedBytes = 4096;  // of one array; the processor then continues on its own
constexpr Count kCacheLine = 64;
constexpr Index kRowsAhead = 32;  // distance from a permuted row to the prefetched one

// Prefetches memory that will be read soon. Must be inlined: compilers see no effect, and would remove the call.
template <class T>
[[gnu::always_inline]] inline void fetch(const T* first, Count count) {
  const auto* begin = reinterpret_cast<const std::byte*>(first);
  const Count bytes = std::min(kFetchedBytes, count * static_cast<Count>(sizeof(T)));
  for (Count offset = 0; offset < bytes; offset += kCacheLine) {
    __builtin_prefetch(begin + offset);
  }
}

// Small fronts are finished before the processor's own prefetching recognizes their order in memory.
template <Scalar S>
[[gnu::always_inline]] inline void fetch(const FrontFactor<S>& front, std::span<const Index> rows) {
  fetch(front.lower, static_cast<Count>(front.order) * front.num_fully_summed);
  if (front.upper != nullptr) {
    fetch(front.upper, static_cast<Count>(front.cb_order()) * front.num_fully_summed);
  }
  fetch(rows.data(), static_cast<Count>(rows.size()));
}

}  // namespace

Count workspace_rows(const AssemblyTree& tree, Method method, const SolvePlan& plan) {
  return (method == Method::lu ? 2 : 1) * Count{tree.num_variables()} + plan.num_contribution_rows();
}

template <Scalar S>
TreeSolve<S>::TreeSolve(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, Index num_rhs)
    : TreeSolve(
          {factors.symbolic(), factors.method(), factors.row_scaling(), factors.col_scaling(), factors.storage().workspaces()},
          plan, part, operation, num_rhs) {
  set_factors(factors);
}

template <Scalar S>
TreeSolve<S>::TreeSolve(const FactorFrame<S>& frame, const SolvePlan& plan, SweepPart part, Operation operation, Index num_rhs)
    : symbolic_(frame.symbolic),
      method_(frame.method),
      tree_(frame.symbolic.tree()),
      plan_(plan),
      part_(part),
      num_rhs_(num_rhs),
      route_(frame.symbolic, frame.method, operation, frame.row_scaling, frame.col_scaling),
      workspace_(frame.regions, workspace_rows(tree_, frame.method, plan) * num_rhs * static_cast<Count>(sizeof(S))),
      right_side_(workspace_.at<S>(0)),
      solution_(right_side_),
      contributions_(right_side_ + static_cast<Count>(tree_.num_variables()) * num_rhs) {
  if (frame.method == Method::lu) {
    solution_ = contributions_;
    contributions_ += static_cast<Count>(tree_.num_variables()) * num_rhs;
  }
}

// right_side := P D b, with the scaling of the equations. B is read along its columns, some at a time, and rows of the right side
// are written as whole cache lines.
template <Scalar S>
void TreeSolve<S>::load(DenseView<const S> b) {
  tbb::parallel_for(tbb::blocked_range<Index>(0, b.rows, kPermuteGrain), [&](const tbb::blocked_range<Index>& rows) {
    for (Index col = 0; col < b.cols; col += kPermuteWidth) {
      const DenseView<const S> columns = b.columns(col, std::min(b.cols, col + kPermuteWidth));
      for (Index row = rows.begin(); row < rows.end(); ++row) {
        __builtin_prefetch(right_side(route_.equation_of(std::min(row + kRowsAhead, rows.end() - 1))) + col, 1);
        route_.load(columns, row, row, right_side(route_.equation_of(row)) + col);
      }
    }
  });
  skip_zeros();
}

template <Scalar S>
void TreeSolve<S>::go_to(const SweepNodes& trees) {
  forward_nodes_ = trees;
  backward_nodes_ = trees;
}

template <Scalar S>
void TreeSolve<S>::load(std::span<const Index> rows, DenseView<const S> b) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, rows.size(), kPermuteGrain), [&](const auto& range) {
    for (const Index row : rows.subspan(range.begin(), range.size())) {
      route_.load(b, row, row, right_side(route_.equation_of(row)));
    }
  });
}

template <Scalar S>
void TreeSolve<S>::store_rows(std::span<const Index> rows, DenseView<S> x) const {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, rows.size(), kPermuteGrain), [&](const auto& range) {
    for (const Index row : rows.subspan(range.begin(), range.size())) {
      route_.store(solution(route_.unknown_of(row)), x, row, row);
    }
  });
}

template <Scalar S>
void TreeSolve<S>::skip_zeros() {
  std::vector<char> is_marked(static_cast<std::size_t>(tree_.num_nodes()));
  tbb::parallel_for(tbb::blocked_range<NodeId>(0, tree_.num_nodes(), kNodeGrain), [&](const tbb::blocked_range<NodeId>& nodes) {
    for (NodeId node = nodes.begin(); node < nodes.end(); ++node) {
      const S* begin = right_side(tree_.variable_begin(node));
      const S* end = begin + static_cast<Count>(tree_.num_fully_summed(node)) * num_rhs_;
      is_marked[node] = std::any_of(begin, end, [](S value) { return value != S(0); }) ? 1 : 0;
    }
  });
  forward_nodes_ = SweepNodes(tree_, plan_, std::move(is_marked));
}

template <Scalar S>
void TreeSolve<S>::load(const MatrixView<S>& b) {
  std::vector<char> is_marked(static_cast<std::size_t>(tree_.num_nodes()));
  for (const Index row : b.pattern.row_indices) {
    is_marked[node_of(tree_, route_.equation_of(row))] = 1;
  }
  forward_nodes_ = SweepNodes(tree_, plan_, std::move(is_marked));
  clear_right_sides();
  for (Index col = 0; col < b.pattern.num_cols; ++col) {
    for (auto entry = static_cast<std::size_t>(b.pattern.column_offsets[col]);
         entry < static_cast<std::size_t>(b.pattern.column_offsets[static_cast<std::size_t>(col) + 1]); ++entry) {
      const Index row = b.pattern.row_indices[entry];
      route_.load({&b.values[entry], 1, 1, 1}, 0, row, right_side(route_.equation_of(row)) + col);
    }
  }
}

// Clears those of the fronts to be visited. Delayed equations may come from fronts without right-hand sides.
template <Scalar S>
void TreeSolve<S>::clear_right_sides() {
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    if (forward_nodes_.has(node)) {
      std::fill_n(right_side(tree_.variable_begin(node)), static_cast<Count>(tree_.num_fully_summed(node)) * num_rhs_, S(0));
      const FrontFactor<S>& front = factors_->front(node);
      const Index* equations = route_.equations(front);
      for (Index k = 0; k < front.num_fully_summed; ++k) {
        std::fill_n(right_side(equations[k]), num_rhs_, S(0));
      }
    }
  }
}

// Calls visit(row, right side) for every pivot of the visited nodes, in the form that numbers have between the factors.
template <Scalar S>
template <class Visit>
void TreeSolve<S>::for_each_pivot(const Visit& visit) const {
  const std::vector<Index>& rows = symbolic_.row_perm();
  tbb::parallel_for(tbb::blocked_range<NodeId>(0, tree_.num_nodes(), kNodeGrain), [&](const tbb::blocked_range<NodeId>& nodes) {
    for (NodeId node = nodes.begin(); node < nodes.end(); ++node) {
      if (!backward_nodes_.has(node)) {
        continue;
      }
      const FrontFactor<S>& front = factors_->front(node);
      const Index* equations = route_.equations(front);
      for (Index k = 0; k < front.num_eliminated; ++k) {
        visit(rows[front.row_variables[k]], right_side(equations[k]));
      }
    }
  });
}

template <Scalar S>
void TreeSolve<S>::load_pivots(DenseView<const S> y) {
  for_each_pivot([&](Index row, S* right_side) { route_.load_pivot(y, row, right_side, part_ == SweepPart::second); });
}

template <Scalar S>
void TreeSolve<S>::store_pivots(DenseView<S> y) const {
  for_each_pivot([&](Index row, const S* right_side) { route_.store_pivot(right_side, y, row); });
}

template <Scalar S>
void TreeSolve<S>::diagonal() {
  tbb::parallel_for(tbb::blocked_range<NodeId>(0, tree_.num_nodes(), kNodeGrain), [&](const tbb::blocked_range<NodeId>& nodes) {
    FrontBuffer<S> buffer;
    for (NodeId node = nodes.begin(); node < nodes.end(); ++node) {
      const FrontFactor<S>& front = factors_->front(node);
      const Index* equations = route_.equations(front);
      const DenseView<S> f = buffer.get(num_rhs_, front.num_eliminated);
      for (Index k = 0; k < front.num_eliminated; ++k) {
        copy(right_side(equations[k]), f.column(k));
      }
      diagonal_solve<S>(front, method_, f);
      for (Index k = 0; k < front.num_eliminated; ++k) {
        copy(f.column(k), right_side(equations[k]));
      }
    }
  });
}

template <Scalar S>
void TreeSolve<S>::store_schur_equations(DenseView<S> b) const {
  for (const Index row : symbolic_.schur_variables()) {
    route_.store_equation(right_side(route_.equation_of(row)), b, row);
  }
}

template <Scalar S>
void TreeSolve<S>::load_schur_unknowns(DenseView<const S> x) {
  for (const Index row : symbolic_.schur_variables()) {
    route_.load_unknown(x, row, solution(route_.unknown_of(row)));
  }
}

template <Scalar S>
void TreeSolve<S>::want(std::span<const Index> rows) {
  std::vector<char> is_marked(static_cast<std::size_t>(tree_.num_nodes()));
  for (const Index row : rows) {
    is_marked[node_of(tree_, route_.unknown_of(row))] = 1;
  }
  backward_nodes_ = SweepNodes(tree_, plan_, std::move(is_marked));
}

template <Scalar S>
void TreeSolve<S>::store(std::span<const Index> rows, DenseView<S> x) const {
  for (Index k = 0; k < x.rows; ++k) {
    const Index row = rows[k];
    route_.store(solution(route_.unknown_of(row)), x, k, row);
  }
}

// x := D P^T solution, with the scaling of the unknowns.
template <Scalar S>
void TreeSolve<S>::store(DenseView<S> x) const {
  tbb::parallel_for(tbb::blocked_range<Index>(0, x.rows, kPermuteGrain), [&](const tbb::blocked_range<Index>& rows) {
    for (Index col = 0; col < x.cols; col += kPermuteWidth) {
      const DenseView<S> columns = x.columns(col, std::min(x.cols, col + kPermuteWidth));
      for (Index row = rows.begin(); row < rows.end(); ++row) {
        __builtin_prefetch(solution(route_.unknown_of(std::min(row + kRowsAhead, rows.end() - 1))) + col);
        route_.store(solution(route_.unknown_of(row)) + col, columns, row, row);
      }
    }
  });
}

// Leaves of the tree of steps start at once; the task that finishes the last child of a step continues with it.
template <Scalar S>
void TreeSolve<S>::forward() {
  const auto num_steps = static_cast<Index>(plan_.steps().size());
  std::vector<std::atomic<Index>> num_pending(plan_.steps().size());
  tbb::task_group tasks;
  for (Index step = 0; step < num_steps; ++step) {
    const std::span<const Index> children = plan_.children(step);
    num_pending[step] =
        static_cast<Index>(std::count_if(children.begin(), children.end(), [this](Index s) { return forward_nodes_.has_step(s); }));
  }
  std::vector<Index> leaves;  // of the visited steps: collected before one of them starts
  for (Index step = 0; step < num_steps; ++step) {
    if (forward_nodes_.has_step(step) && num_pending[step] == 0) {
      leaves.push_back(step);
    }
  }
  for (const Index step : leaves) {
    tasks.run([this, step, &num_pending] { run_forward(step, num_pending); });
  }
  tasks.wait();
}

template <Scalar S>
void TreeSolve<S>::run_forward(Index step, std::vector<std::atomic<Index>>& num_pending) {
  FrontBuffer<S> buffer = buffers_.take();
  do {
    const SolveStep& nodes = plan_.steps()[step];
    for (NodeId node = nodes.begin; node < nodes.end; ++node) {
      if (!forward_nodes_.has(node)) {
        continue;
      }
      const FrontFactor<S>& front = factors_->front(node);
      if (const NodeId next = node + kNodesAhead; next < nodes.end) {
        fetch(factors_->front(next), tree_.relative_indices(next));
      }
      forward_front(node, front, buffer.get(num_rhs_, front.order));
    }
    step = nodes.parent;
  } while (step != kNoStep && --num_pending[step] == 0);
  buffers_.give_back(std::move(buffer));
}

template <Scalar S>
void TreeSolve<S>::backward() {
  tbb::task_group tasks;
  for (const Index root : plan_.children(kNoStep)) {
    if (backward_nodes_.has_step(root)) {
      tasks.run([this, root, &tasks] { run_backward(root, tasks); });
    }
  }
  tasks.wait();
}

// Descends to the last child itself, in a loop because trees may be deep, and leaves the other children to new tasks.
template <Scalar S>
void TreeSolve<S>::run_backward(Index step, tbb::task_group& tasks) {
  FrontBuffer<S> buffer = buffers_.take();
  while (step != kNoStep) {
    const SolveStep& nodes = plan_.steps()[step];
    for (NodeId node = nodes.end; node-- > nodes.begin;) {
      if (backward_nodes_.has(node)) {
        if (const NodeId next = node - kNodesAhead; next >= nodes.begin) {
          fetch(factors_->front(next), tree_.cb_rows(next));
        }
        backward_front(node, buffer.get(num_rhs_, factors_->front(node).order));
      }
    }
    Index last = kNoStep;
    for (const Index child : plan_.children(step)) {
      if (!backward_nodes_.has_step(child)) {
        continue;
      }
      if (last != kNoStep) {
        tasks.run([this, last, &tasks] { run_backward(last, tasks); });
      }
      last = child;
    }
    step = last;
  }
  buffers_.give_back(std::move(buffer));
}

// Adds the children's contributions, in the order of the children, to the right-hand sides of the variables that become fully
// summed here, and to the following positions of f, which are initially zero.
template <Scalar S>
void TreeSolve<S>::assemble(NodeId node, Index num_fully_summed, DenseView<S> f) {
  const Index own_variables = tree_.num_fully_summed(node);
  std::fill(f.column(num_fully_summed), f.column(f.cols), S(0));
  for (const NodeId child : tree_.children(node)) {
    if (!forward_nodes_.has(child)) {
      continue;
    }
    const std::span<const Index> positions = tree_.relative_indices(child);
    const auto others = std::find_if(positions.begin(), positions.end(), [&](Index position) { return position >= own_variables; });
    const auto num_own = static_cast<std::size_t>(others - positions.begin());
    const S* from = contribution(child);
    add_rows(from, positions.first(num_own), 0, right_side(tree_.variable_begin(node)));
    add_rows(from + static_cast<Count>(num_own) * num_rhs_, positions.subspan(num_own), own_variables, f.column(num_fully_summed));
  }
}

// Row positions[k] - first of `to` += row k of `from`.
template <Scalar S>
void TreeSolve<S>::add_rows(const S* from, std::span<const Index> positions, Index first, S* to) const {
  if (num_rhs_ == 1) {
    for (std::size_t k = 0; k < positions.size(); ++k) {
      to[positions[k] - first] += from[k];
    }
    return;
  }
  for (const Index position : positions) {
    S* row = to + static_cast<Count>(position - first) * num_rhs_;
    std::transform(from, from + num_rhs_, row, row, std::plus<>());
    from += num_rhs_;
  }
}

// Row k of `to` := row rows[k] of `from`.
template <Scalar S>
void TreeSolve<S>::gather(std::span<const Index> rows, const S* from, S* to) const {
  if (num_rhs_ == 1) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      to[k] = from[rows[k]];
    }
    return;
  }
  for (const Index row : rows) {
    to = std::copy_n(from + static_cast<Count>(row) * num_rhs_, num_rhs_, to);
  }
}

// Row rows[k] of `to` := row k of `from`.
template <Scalar S>
void TreeSolve<S>::scatter(const S* from, std::span<const Index> rows, S* to) const {
  if (num_rhs_ == 1) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      to[rows[k]] = from[k];
    }
    return;
  }
  for (const Index row : rows) {
    std::copy_n(from, num_rhs_, to + static_cast<Count>(row) * num_rhs_);
    from += num_rhs_;
  }
}

template <Scalar S>
void TreeSolve<S>::forward_front(NodeId node, const FrontFactor<S>& front) {
  if (forward_nodes_.has(node)) {
    FrontBuffer<S> buffer = buffers_.take();
    forward_front(node, front, buffer.get(num_rhs_, front.order));
    buffers_.give_back(std::move(buffer));
  }
}

// Delayed variables are fully summed already: their right-hand sides wait in place for the ancestor that eliminates them.
template <Scalar S>
void TreeSolve<S>::forward_front(NodeId node, const FrontFactor<S>& front, DenseView<S> f) {
  const Index p = front.num_fully_summed;
  const std::span<const Index> equations(route_.equations(front), static_cast<std::size_t>(p));
  assemble(node, p, f);
  gather(equations, right_side_, f.data);
  forward_solve<S>(front, method_, route_.side(), f);
  if (has_diagonal(part_)) {
    diagonal_solve<S>(front, method_, f);
    route_.turn(f.columns(0, front.num_eliminated));
  }
  scatter(f.data, equations, right_side_);
  std::copy(f.column(p), f.column(front.order), contribution(node));
}

template <Scalar S>
void TreeSolve<S>::backward_front(NodeId node, DenseView<S> f) {
  const FrontFactor<S>& front = factors_->front(node);
  const auto num_eliminated = static_cast<std::size_t>(front.num_eliminated);
  const std::span<const Index> unknowns(route_.unknowns(front), static_cast<std::size_t>(front.num_fully_summed));
  if (forward_nodes_.has(node)) {
    gather({route_.equations(front), num_eliminated}, right_side_, f.data);
  } else {
    std::fill(f.column(0), f.column(front.num_eliminated), S(0));
  }
  gather(unknowns.subspan(num_eliminated), solution_, f.column(front.num_eliminated));
  gather(tree_.cb_rows(node), solution_, f.column(front.num_fully_summed));
  backward_solve<S>(front, method_, route_.side(), f);
  scatter(f.data, unknowns.first(num_eliminated), solution_);
}

FROND_INSTANTIATE_CLASS(TreeSolve)

}  // namespace frond
