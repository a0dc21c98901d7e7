// SPDX-License-Identifier: BSD-3-Clause
// Runs the triangular solves through the assembly tree (Duff & Reid 1983; Liu 1992, "The multifrontal method for sparse matrix
// solution", section 5), with the tasks of one process.
#pragma once

#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>
#include <vector>

#include "factorization/factors.hpp"
#include "factorization/memory/factor_storage.hpp"
#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/sweeps/idle_pool.hpp"
#include "solver/numerics/sweeps/solve_plan.hpp"
#include "solver/numerics/sweeps/solve_route.hpp"
#include "solver/numerics/sweeps/sweep.hpp"
#include "solver/numerics/sweeps/sweep_nodes.hpp"
#include "solver/numerics/sweeps/unset_array.hpp"

namespace frond {

/// Memory for one front's right-hand sides, reused from front to front.
template <Scalar S>
class FrontBuffer {
 public:
  // A view of num_rhs x order entries, not initialized.
  [[nodiscard]] DenseView<S> get(Index num_rhs, Index order) {
    const auto size = static_cast<std::size_t>(num_rhs) * static_cast<std::size_t>(order);
    if (size > memory_.size()) {
      memory_ = UnsetArray<S>(std::max(size, 2 * memory_.size()));
    }
    return {memory_.data(), num_rhs, order, num_rhs};
  }

 private:
  UnsetArray<S> memory_;
};

/// A region borrowed from a pool for the lifetime of this object.
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

/// Everything about factors that is known before they exist; must outlive them. Scalings as in Factors.
template <Scalar S>
struct FactorFrame {
  const Symbolic& symbolic;
  Method method;
  std::span<const RealOf<S>> row_scaling;
  std::span<const RealOf<S>> col_scaling;
  RegionPool& regions;
};

/// One solve, or a part of one, for a block of right-hand sides: load the input, run the sweeps in their order, store the output.
/// The caller is in a task arena, and holds a BlasThreadsGuard. Results do not depend on the number of threads. The arguments must
/// outlive this object.
///
/// The forward sweep may accompany the factorization: forward_front() for every front, children first, the fronts of a step of the
/// plan in their order, those of different steps at the same time. The factors are set afterwards, by set_factors().
template <Scalar S>
class TreeSolve {
 public:
  /// Throws MemoryError and bad_alloc.
  TreeSolve(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, Index num_rhs);
  TreeSolve(const FactorFrame<S>& frame, const SolvePlan& plan, SweepPart part, Operation operation, Index num_rhs);

  void set_factors(const Factors<S>& factors) { factors_ = &factors; }

  /// Loads right-hand sides, as whole rows. The forward sweep skips the subtrees in which all of them are zero.
  void load(DenseView<const S> b);
  /// The same for sparse right-hand sides, as many as b has columns; time and memory are in proportion to the visited nodes.
  void load(const MatrixView<S>& b);
  /// Restricts both sweeps to these nodes, which are whole trees: the following calls load and store only what belongs to them.
  void go_to(const SweepNodes& trees);
  /// Loads these rows of b, which are all rows of the trees passed to go_to().
  void load(std::span<const Index> rows, DenseView<const S> b);
  /// Loads the numbers of pivots, if there is no forward sweep.
  void load_pivots(DenseView<const S> y);

  void forward();
  void forward_front(NodeId node, const FrontFactor<S>& front);
  /// Applies D^-1 alone.
  void diagonal();
  void backward();

  /// Restricts the backward sweep to these unknowns, given by their rows of x.
  void want(std::span<const Index> rows);
  void store(DenseView<S> x) const;
  /// Stores these rows of x.
  void store_rows(std::span<const Index> rows, DenseView<S> x) const;
  /// Row k of x := the unknown of row rows[k].
  void store(std::span<const Index> rows, DenseView<S> x) const;
  void store_pivots(DenseView<S> y) const;

  /// After forward(): stores the equations of the variables of a Schur complement, which were passed on like delayed ones.
  void store_schur_equations(DenseView<S> b) const;
  /// Before backward(): loads the same variables, which were computed elsewhere.
  void load_schur_unknowns(DenseView<const S> x);

 private:
  template <class Visit>
  void for_each_pivot(const Visit& visit) const;
  void skip_zeros();
  void clear_right_sides();
  void run_forward(Index step, std::vector<std::atomic<Index>>& num_pending);
  void run_backward(Index step, tbb::task_group& tasks);
  void forward_front(NodeId node, const FrontFactor<S>& front, DenseView<S> f);
  void backward_front(NodeId node, DenseView<S> f);
  void assemble(NodeId node, Index num_fully_summed, DenseView<S> f);
  void add_rows(const S* from, std::span<const Index> positions, Index first, S* to) const;
  void gather(std::span<const Index> rows, const S* from, S* to) const;
  void scatter(const S* from, std::span<const Index> rows, S* to) const;

  [[nodiscard]] S* right_side(Index variable) const { return right_side_ + static_cast<Count>(variable) * num_rhs_; }
  [[nodiscard]] S* solution(Index variable) const { return solution_ + static_cast<Count>(variable) * num_rhs_; }
  [[nodiscard]] S* contribution(NodeId node) { return contributions_ + plan_.contribution_offset(node) * num_rhs_; }
  // A single right-hand side is the most frequent case, and its rows are not worth a loop.
  void copy(const S* from, S* to) const {
    if (num_rhs_ == 1) {
      *to = *from;
    } else {
      std::copy_n(from, num_rhs_, to);
    }
  }

  const Factors<S>* factors_ = nullptr;
  const Symbolic& symbolic_;
  Method method_;
  const AssemblyTree& tree_;
  const SolvePlan& plan_;
  SweepPart part_;
  Index num_rhs_;
  SolveRoute<S> route_;

  SweepNodes forward_nodes_;
  SweepNodes backward_nodes_;

  // By new variable numbers, num_rhs_ values each. The right-hand sides are numbered by rows, the solution by columns; where the
  // two agree they share memory.
  BorrowedRegion workspace_;
  S* right_side_;
  S* solution_;
  S* contributions_;
  // One per task. A thread may use several at once: while it waits for a part of a product it takes other tasks.
  IdlePool<FrontBuffer<S>> buffers_;
};

/// Rows of the workspace, each with a value for every right-hand side.
[[nodiscard]] Count workspace_rows(const AssemblyTree& tree, Method method, const SolvePlan& plan);

}  // namespace frond
