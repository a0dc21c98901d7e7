// SPDX-License-Identifier: BSD-3-Clause
// Solving with iterative refinement.
#pragma once

#include <span>

#include "factorization/factors.hpp"
#include "factorization/kernels/dense_view.hpp"
#include "solver/backward_error.hpp"
#include "solver/options.hpp"
#include "solver/solve_plan.hpp"

namespace frond {

/// What solving with refinement works with: the factors of a matrix, and the matrix.
template <Scalar S>
struct RefinedSolve {
  const Factors<S>& factors;
  const SolvePlan& plan;
  Operation operation;                 ///< plain or transposed, adjoint too
  const BackwardErrorMeter<S>& meter;  ///< of the same operation
  int max_steps = 0;
  int num_threads = 0;

  /// Solves op(A) X = B for up to kSolveBlock columns, as RefinementCourse says. Fills in one report per column.
  void run(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) const;
};

}  // namespace frond
