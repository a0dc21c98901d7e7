// SPDX-License-Identifier: BSD-3-Clause
// Eliminates right-hand sides together with the matrix.
#pragma once

#include <deque>

#include "factorization/distributed/front_watcher.hpp"
#include "solver/numerics/sweeps/tree_solve.hpp"

namespace frond {

/// The forward sweep for A X = B, front by front during the elimination, so that the factors it reads need not be kept
/// (KeptFactors::backward). The steps of `plan` are the tasks of the factorization. The arguments must outlive this object; its
/// constructor and finish() are called in a task arena.
template <Scalar S>
class ForwardElimination final : public FrontWatcher<S> {
 public:
  /// Throws MemoryError and bad_alloc.
  ForwardElimination(const FactorFrame<S>& frame, const SolvePlan& plan, DenseView<const S> b);

  void on_eliminated(NodeId node, const FrontFactor<S>& front) override;

  /// Runs the backward sweep with the kept factors.
  void finish(const Factors<S>& factors, DenseView<S> x);

 private:
  std::deque<TreeSolve<S>> blocks_;  // of kSolveBlock columns each
};

}  // namespace frond
