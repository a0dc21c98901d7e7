// SPDX-License-Identifier: BSD-3-Clause
// Solving with the root on a grid of ranks, in the midst of the sweeps.
#pragma once

#include "factorization/root/root_solver.hpp"
#include "frond/dense.hpp"
#include "solver/distributed/ranks/rank_system.hpp"
#include "solver/distributed/ranks/solve_message.hpp"
#include "solver/numerics/sweeps/solve_route.hpp"
#include "solver/numerics/sweeps/sweep_part.hpp"

namespace frond {

/// The root's master has all right-hand sides, calls the other ranks of the grid, and all solve at the same time; of a whole solve
/// forward and backward in one. Who is called is in it until the master comes.
template <Scalar S>
class GridRootSweep {
 public:
  /// Both must outlive this object.
  GridRootSweep(const RankSystem<S>& system, Outbox& outbox) : system_(system), outbox_(outbox) {}

  /// Master: f has one column for each row of the root.
  void call(DenseView<const S> f, SweepPart part, const SolveRoute<S>& route);
  /// Master, when messages have gone: the solve itself may block until all others have come, and so what tells them must be out.
  void enter();
  /// Master, at the answer of another rank: whether it was the last one.
  [[nodiscard]] bool take_answer() { return --num_missing_ == 0; }
  /// Master, then: the columns of f become what the root makes of them.
  void finish(SweepPart part, const SolveRoute<S>& route, DenseView<S> f) const;

  /// Another rank of the grid, called by `master`.
  void join(Rank master, RootFactors factors, Operation operation, Index num_rhs);

  /// Something has failed; `is_called` if the master's call was not answered yet.
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
  Rank num_missing_ = 0;  // other ranks of the grid that have not answered
};

}  // namespace frond
