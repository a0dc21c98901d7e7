// SPDX-License-Identifier: BSD-3-Clause
// The walk of the triangular solves through the assembly tree (Duff & Reid 1983; Liu 1992, "The multifrontal method for sparse
// matrix solution", section 5), by the tasks of one process.
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
#include "solver/numerics/sweeps/sweep_nodes.hpp"
#include "solver/numerics/sweeps/sweep_part.hpp"
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

/// A region of a pool for as long as this object lives.
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

/// What is known of factors before there are any; it outlives them. Scalings as Factors has them.
template <Scalar S>
struct FactorFrame {
  const Symbolic& symbolic;
  Method method;
  std::span<const RealOf<S>> row_scaling;
  std::span<const RealOf<S>> col_scaling;
  RegionPool& regions;
};

/// One solve for a block of right-hand sides, or a part of one: what goes in is loaded, then come the sweeps, in their order, then
/// what comes out is stored. Whoever calls is in a task arena, and holds a BlasThreadsGuard. Nothing depends on the number of
/// threads. The arguments must outlive this object.
///
/// The forward sweep may accompany the factorization: forward_front() for every front, children first, the fronts of a step of the
/// plan in their order, those of different steps at the same time. The factors come after it, by set_factors().
template <Scalar S>
class TreeSolve {
 public:
  /// Throws MemoryError and bad_alloc.
  TreeSolve(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, Index num_rhs);
  TreeSolve(const FactorFrame<S>& frame, const SolvePlan& plan, SweepPart part, Operation operation, Index num_rhs);

  void set_factors(const Factors<S>& factors) { factors_ = &factors; }

  /// Right-hand sides, as whole rows. The forward sweep will pass by the subtrees in which all of them are zero.
  void load(DenseView<const S> b);
  /// The same of sparse right-hand sides, as many as b has columns; time and memory go with what is visited.
  void load(const MatrixView<S>& b);
  /// Both sweeps will go to these nodes only, which are whole trees: what follows loads and stores what belongs to them.
  void go_to(const SweepNodes& trees);
  /// The right-hand sides of these rows of b, which are all of the trees gone to.
  void load(std::span<const Index> rows, DenseView<const S> b);
  /// What belongs to pivots, where there is no forward sweep.
  void load_pivots(DenseView<const S> y);

  void forward();
  void forward_front(NodeId node, const FrontFactor<S>& front);
  /// D^-1 by itself.
  void diagonal();
  void backward();

  /// The backward sweep will go to these unknowns only, given by their rows of x.
  void want(std::span<const Index> rows);
  void store(DenseView<S> x) const;
  /// These rows of x.
  void store_rows(std::span<const Index> rows, DenseView<S> x) const;
  /// Row k of x := the unknown of row rows[k].
  void store(std::span<const Index> rows, DenseView<S> x) const;
  void store_pivots(DenseView<S> y) const;

  /// After forward(): of the variables of a Schur complement, which have waited like delayed ones.
  void store_schur_equations(DenseView<S> b) const;
  /// Before backward(): the same variables, found out elsewhere.
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
  // One right-hand side is most frequent, and rows of one are not worth a loop.
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
  // Of tasks. A thread may have several at work: while it waits for a part of a product it takes up other tasks.
  IdlePool<FrontBuffer<S>> buffers_;
};

/// Rows of the workspace, each with a value for every right-hand side.
[[nodiscard]] Count workspace_rows(const AssemblyTree& tree, Method method, const SolvePlan& plan);

}  // namespace frond
