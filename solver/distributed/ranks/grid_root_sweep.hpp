// SPDX-License-Identifier: BSD-3-Clause
// Solves with the root on a grid of ranks, between the sweeps.
#pragma once

#include "factorization/root/root_solver.hpp"
#include "frond/dense.hpp"
#include "solver/distributed/ranks/rank_system.hpp"
#include "solver/distributed/ranks/solve_message.hpp"
#include "solver/numerics/sweeps/solve_route.hpp"
#include "solver/numerics/sweeps/sweep.hpp"

namespace frond {

/// The root's master has all right-hand sides, calls the other ranks of the grid, and all solve at the same time; for a whole solve
/// forward and backward at once. A called rank blocks in the solve until the master enters.
template <Scalar S>
class GridRootSweep {
 public:
  /// Both must outlive this object.
  GridRootSweep(const RankSystem<S>& system, Outbox& outbox) : system_(system), outbox_(outbox) {}

  /// Master: f has one column for each row of the root.
  void call(DenseView<const S> f, SweepPart part, const SolveRoute<S>& route);
  /// Master, once messages have been sent: the solve may block until all others have entered, so the messages that call them must
  /// be out.
  void enter();
  /// Master, on the reply of another rank: whether it was the last one.
  [[nodiscard]] bool take_answer() { return --num_missing_ == 0; }
  /// Master, afterwards: replaces the columns of f by the result of the root.
  void finish(SweepPart part, const SolveRoute<S>& route, DenseView<S> f) const;

  /// Another rank of the grid, called by `master`.
  void join(Rank master, RootFactors factors, Operation operation, Index num_rhs);

  /// Called after a failure; `is_called` if the master's call has not been answered yet.
  void abandon(bool is_called);

 private:
  [[nodiscard]] DenseView<S> view() {
    return {rows_.values.data(), rows_.num_rows, rows_.num_cols, std::max(rows_.num_rows, Index{1})};
  }

  RankSystem<S> system_;
  Outbox& outbox_;
  DenseMatrix<S> rows_;  // of the root, one column for each right-hand side
  RootFactors factors_ = RootFactors::both;
  Operation operation_ = Operation::plain;
  bool waits_to_enter_ = false;
  Rank num_missing_ = 0;  // other ranks of the grid that have not replied
};

}  // namespace frond
