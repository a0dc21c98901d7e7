// SPDX-License-Identifier: BSD-3-Clause
// The walk of the triangular solves through the assembly tree (Duff & Reid 1983; Liu 1992, "The multifrontal method for sparse
// matrix solution", section 5).
#include "solver/solve.hpp"

#include <fmt/core.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "factorization/factor_storage.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "matrices/error.hpp"
#include "solver/front_solve.hpp"
#include "solver/solve_route.hpp"

namespace frond {
namespace {

constexpr Index kPermuteGrain = 4096;  // rows permuted by one task
constexpr Index kPermuteWidth = 8;     // columns permuted at a time: a cache line of doubles

// Memory for one front's right-hand sides, reused from front to front.
template <Scalar S>
class FrontBuffer {
 public:
  // A view of num_rhs x order entries, not initialized.
  [[nodiscard]] DenseView<S> get(Index num_rhs, Index order) {
    const auto size = static_cast<std::size_t>(num_rhs) * static_cast<std::size_t>(order);
    if (size > capacity_) {
      capacity_ = std::max(size, 2 * capacity_);
      data_ = std::make_unique_for_overwrite<S[]>(capacity_);
    }
    return {data_.get(), num_rhs, order, num_rhs};
  }

 private:
  std::size_t capacity_ = 0;
  std::unique_ptr<S[]> data_;
};

// The buffers of tasks that have ended, for those to come. A thread may have several at work: while it waits for a part of a
// product it takes up other tasks.
template <Scalar S>
class FrontBuffers {
 public:
  [[nodiscard]] FrontBuffer<S> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      return {};
    }
    FrontBuffer<S> buffer = std::move(idle_.back());
    idle_.pop_back();
    return buffer;
  }
  void give_back(FrontBuffer<S> buffer) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(buffer));
  }

 private:
  std::mutex mutex_;
  std::vector<FrontBuffer<S>> idle_;
};

// A region of a pool for as long as this object lives.
class BorrowedRegion {
 public:
  BorrowedRegion(RegionPool& pool, Count bytes) : pool_(pool), region_(pool.take(bytes)) {}
  ~BorrowedRegion() { pool_.give_back(std::move(region_)); }
  BorrowedRegion(const BorrowedRegion&) = delete;
  BorrowedRegion& operator=(const BorrowedRegion&) = delete;

  template <class T>
  [[nodiscard]] T* at(Count offset) const {
    return reinterpret_cast<T*>(region_.data()) + offset;
  }

 private:
  RegionPool& pool_;
  Region region_;
};

template <Scalar S>
class TreeSolve {
 public:
  TreeSolve(const Factors<S>& factors, const SolvePlan& plan, Operation operation, Index num_rhs);

  void load(DenseView<const S> b);
  void forward();
  void backward();
  void store(DenseView<S> x) const;
  void store_schur_equations(DenseView<S> b);
  void load_schur_unknowns(DenseView<const S> x);

 private:
  void run_forward(Index step, std::vector<std::atomic<Index>>& num_pending);
  void run_backward(Index step, tbb::task_group& tasks);
  void forward_front(NodeId node, DenseView<S> f);
  void backward_front(NodeId node, DenseView<S> f);
  void assemble(NodeId node, Index num_fully_summed, DenseView<S> f);

  [[nodiscard]] S* right_side(Index variable) { return right_side_ + static_cast<Count>(variable) * num_rhs_; }
  [[nodiscard]] S* solution(Index variable) const { return solution_ + static_cast<Count>(variable) * num_rhs_; }
  [[nodiscard]] S* contribution(NodeId node) { return contributions_ + plan_.contribution_offset(node) * num_rhs_; }
  // One right-hand side is most frequent, and rows of one are not worth a loop.
  void add(const S* from, S* to) const {
    if (num_rhs_ == 1) {
      *to += *from;
    } else {
      std::transform(from, from + num_rhs_, to, to, std::plus<>());
    }
  }
  void copy(const S* from, S* to) const {
    if (num_rhs_ == 1) {
      *to = *from;
    } else {
      std::copy_n(from, num_rhs_, to);
    }
  }

  const Factors<S>& factors_;
  const AssemblyTree& tree_;
  const SolvePlan& plan_;
  Index num_rhs_;
  SolveRoute<S> route_;

  // By new variable numbers, num_rhs_ values each. The right-hand sides are numbered by rows, the solution by columns; where the
  // two agree they share memory.
  BorrowedRegion workspace_;
  S* right_side_;
  S* solution_;
  S* contributions_;
  FrontBuffers<S> buffers_;
};

// Rows of the workspace, each with a value for every right-hand side.
template <Scalar S>
Count workspace_rows(const Factors<S>& factors, const SolvePlan& plan) {
  const Count variables = factors.symbolic().tree().num_variables();
  return (factors.method() == Method::lu ? 2 : 1) * variables + plan.num_contribution_rows();
}

template <Scalar S>
TreeSolve<S>::TreeSolve(const Factors<S>& factors, const SolvePlan& plan, Operation operation, Index num_rhs)
    : factors_(factors),
      tree_(factors.symbolic().tree()),
      plan_(plan),
      num_rhs_(num_rhs),
      route_(factors.symbolic(), factors.method(), operation, factors.row_scaling(), factors.col_scaling()),
      workspace_(factors.storage().regions(), workspace_rows(factors, plan) * num_rhs * static_cast<Count>(sizeof(S))),
      right_side_(workspace_.at<S>(0)),
      solution_(right_side_),
      contributions_(right_side_ + static_cast<Count>(tree_.num_variables()) * num_rhs) {
  if (factors.method() == Method::lu) {
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
        route_.load(columns, row, right_side(route_.equation_of(row)) + col);
      }
    }
  });
}

// x := D P^T solution, with the scaling of the unknowns.
template <Scalar S>
void TreeSolve<S>::store(DenseView<S> x) const {
  tbb::parallel_for(tbb::blocked_range<Index>(0, x.rows, kPermuteGrain), [&](const tbb::blocked_range<Index>& rows) {
    for (Index col = 0; col < x.cols; col += kPermuteWidth) {
      const DenseView<S> columns = x.columns(col, std::min(x.cols, col + kPermuteWidth));
      for (Index row = rows.begin(); row < rows.end(); ++row) {
        route_.store(solution(route_.unknown_of(row)) + col, columns, row);
      }
    }
  });
}

// After forward(): of the variables of a Schur complement, which have waited like delayed ones.
template <Scalar S>
void TreeSolve<S>::store_schur_equations(DenseView<S> b) {
  for (const Index row : factors_.symbolic().schur_variables()) {
    route_.store_equation(right_side(route_.equation_of(row)), b, row);
  }
}

// Before backward().
template <Scalar S>
void TreeSolve<S>::load_schur_unknowns(DenseView<const S> x) {
  for (const Index row : factors_.symbolic().schur_variables()) {
    route_.load_unknown(x, row, solution(route_.unknown_of(row)));
  }
}

// Leaves of the tree of steps start at once; whoever finishes the last child of a step goes on with it.
template <Scalar S>
void TreeSolve<S>::forward() {
  const auto num_steps = static_cast<Index>(plan_.steps().size());
  std::vector<std::atomic<Index>> num_pending(plan_.steps().size());
  tbb::task_group tasks;
  for (Index step = 0; step < num_steps; ++step) {
    num_pending[static_cast<std::size_t>(step)] = static_cast<Index>(plan_.children(step).size());
  }
  for (Index step = 0; step < num_steps; ++step) {
    if (plan_.children(step).empty()) {
      tasks.run([this, step, &num_pending] { run_forward(step, num_pending); });
    }
  }
  tasks.wait();
}

template <Scalar S>
void TreeSolve<S>::run_forward(Index step, std::vector<std::atomic<Index>>& num_pending) {
  FrontBuffer<S> buffer = buffers_.take();
  do {
    const SolveStep& nodes = plan_.steps()[static_cast<std::size_t>(step)];
    for (NodeId node = nodes.begin; node < nodes.end; ++node) {
      forward_front(node, buffer.get(num_rhs_, factors_.front(node).order));
    }
    step = nodes.parent;
  } while (step != kNoStep && --num_pending[static_cast<std::size_t>(step)] == 0);
  buffers_.give_back(std::move(buffer));
}

template <Scalar S>
void TreeSolve<S>::backward() {
  tbb::task_group tasks;
  for (const Index root : plan_.children(kNoStep)) {
    tasks.run([this, root, &tasks] { run_backward(root, tasks); });
  }
  tasks.wait();
}

// Goes down to the last child itself, in a loop because trees may be deep, and leaves the other children to new tasks.
template <Scalar S>
void TreeSolve<S>::run_backward(Index step, tbb::task_group& tasks) {
  FrontBuffer<S> buffer = buffers_.take();
  while (step != kNoStep) {
    const SolveStep& nodes = plan_.steps()[static_cast<std::size_t>(step)];
    for (NodeId node = nodes.end; node-- > nodes.begin;) {
      backward_front(node, buffer.get(num_rhs_, factors_.front(node).order));
    }
    const std::span<const Index> children = plan_.children(step);
    for (std::size_t k = 0; k + 1 < children.size(); ++k) {
      tasks.run([this, child = children[k], &tasks] { run_backward(child, tasks); });
    }
    step = children.empty() ? kNoStep : children.back();
  }
  buffers_.give_back(std::move(buffer));
}

// Adds the children's contributions, in the order of the children, to the right-hand sides of the variables that become fully
// summed here, and to the positions of f behind them, which start from zero.
template <Scalar S>
void TreeSolve<S>::assemble(NodeId node, Index num_fully_summed, DenseView<S> f) {
  const Index own_variables = tree_.num_fully_summed(node);
  std::fill(f.column(num_fully_summed), f.column(f.cols), S(0));
  for (const NodeId child : tree_.children(node)) {
    const S* from = contribution(child);
    for (const Index position : tree_.relative_indices(child)) {
      const bool is_own = position < own_variables;
      add(from, is_own ? right_side(tree_.variable_begin(node) + position) : f.column(num_fully_summed + position - own_variables));
      from += num_rhs_;
    }
  }
}

// Delayed variables are fully summed already: their right-hand sides wait in place for the ancestor that eliminates them.
template <Scalar S>
void TreeSolve<S>::forward_front(NodeId node, DenseView<S> f) {
  const FrontFactor<S>& front = factors_.front(node);
  const Index p = front.num_fully_summed;
  const Index* equations = route_.equations(front);
  assemble(node, p, f);
  for (Index k = 0; k < p; ++k) {
    copy(right_side(equations[k]), f.column(k));
  }
  forward_solve<S>(front, factors_.method(), route_.side(), f);
  diagonal_solve<S>(front, factors_.method(), f);
  route_.turn(f.columns(0, front.num_eliminated));
  for (Index k = 0; k < p; ++k) {
    copy(f.column(k), right_side(equations[k]));
  }
  std::copy(f.column(p), f.column(front.order), contribution(node));
}

template <Scalar S>
void TreeSolve<S>::backward_front(NodeId node, DenseView<S> f) {
  const FrontFactor<S>& front = factors_.front(node);
  const Index* equations = route_.equations(front);
  const Index* unknowns = route_.unknowns(front);
  for (Index k = 0; k < front.num_eliminated; ++k) {
    copy(right_side(equations[k]), f.column(k));
  }
  for (Index k = front.num_eliminated; k < front.num_fully_summed; ++k) {
    copy(solution(unknowns[k]), f.column(k));
  }
  S* to = f.column(front.num_fully_summed);
  for (const Index variable : tree_.cb_rows(node)) {
    copy(solution(variable), to);
    to += num_rhs_;
  }
  backward_solve<S>(front, factors_.method(), route_.side(), f);
  for (Index k = 0; k < front.num_eliminated; ++k) {
    copy(f.column(k), solution(unknowns[k]));
  }
}

template <Scalar S>
void solve_in_arena(const Factors<S>& factors, const SolvePlan& plan, Operation operation, DenseView<S> x,
                    const BetweenSweeps<S>& between) {
  TreeSolve<S> solve(factors, plan, operation, x.cols);
  solve.load(x);
  solve.forward();
  if (between) {
    solve.store_schur_equations(x);
    if (!between(x)) {
      return;
    }
    solve.load_schur_unknowns(x);
  }
  solve.backward();
  solve.store(x);
}

[[noreturn]] void throw_no_workspace(Index num_rhs, Count bytes) {
  throw MemoryError(
      fmt::format("no memory for the workspace of {} right-hand sides: about {} bytes are needed; solve fewer at a time", num_rhs,
                  bytes),
      bytes, 0);
}

}  // namespace

template <Scalar S>
void solve_with_factors(const Factors<S>& factors, const SolvePlan& plan, Operation operation, DenseView<S> x, int num_threads) {
  solve_around_schur<S>(factors, plan, operation, x, num_threads, {});
}

template <Scalar S>
void solve_around_schur(const Factors<S>& factors, const SolvePlan& plan, Operation operation, DenseView<S> x, int num_threads,
                        const BetweenSweeps<S>& between) {
  const Count bytes = workspace_rows(factors, plan) * x.cols * static_cast<Count>(sizeof(S));
  const int wanted = num_threads > 0 ? num_threads : tbb::info::default_concurrency();
  const BlasThreadsGuard guard(wanted, bytes);
  try {
    tbb::task_arena arena(guard.num_threads());
    arena.execute([&] { solve_in_arena(factors, plan, operation, x, between); });
  } catch (const std::bad_alloc&) {
    throw_no_workspace(x.cols, bytes);
  } catch (const MemoryError&) {
    throw_no_workspace(x.cols, bytes);
  }
}

template void solve_with_factors(const Factors<float>&, const SolvePlan&, Operation, DenseView<float>, int);
template void solve_with_factors(const Factors<double>&, const SolvePlan&, Operation, DenseView<double>, int);
template void solve_with_factors(const Factors<std::complex<float>>&, const SolvePlan&, Operation, DenseView<std::complex<float>>,
                                 int);
template void solve_with_factors(const Factors<std::complex<double>>&, const SolvePlan&, Operation, DenseView<std::complex<double>>,
                                 int);
template void solve_around_schur(const Factors<float>&, const SolvePlan&, Operation, DenseView<float>, int,
                                 const BetweenSweeps<float>&);
template void solve_around_schur(const Factors<double>&, const SolvePlan&, Operation, DenseView<double>, int,
                                 const BetweenSweeps<double>&);
template void solve_around_schur(const Factors<std::complex<float>>&, const SolvePlan&, Operation, DenseView<std::complex<float>>,
                                 int, const BetweenSweeps<std::complex<float>>&);
template void solve_around_schur(const Factors<std::complex<double>>&, const SolvePlan&, Operation, DenseView<std::complex<double>>,
                                 int, const BetweenSweeps<std::complex<double>>&);

}  // namespace frond
