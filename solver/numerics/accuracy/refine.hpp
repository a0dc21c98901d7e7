// SPDX-License-Identifier: BSD-3-Clause
// Solving with iterative refinement.
#pragma once

#include <span>

#include "frond/dense.hpp"
#include "frond/options.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond {

/// What solving with refinement works with: solves by the factors of a matrix, and the matrix.
template <Scalar S>
struct RefinedSolve {
  SolveInPlace<S> solve;               ///< with the factors, or with others that are close to them
  Operation operation;                 ///< plain or transposed, adjoint too
  const BackwardErrorMeter<S>& meter;  ///< of the same operation
  RefinementOptions options = {};
  int num_threads = 0;

  /// Solves op(A) X = B for up to kSolveBlock columns, as RefinementCourse says, and columns that stall as KrylovCourse says. Fills
  /// in one report per column.
  void run(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) const;

 private:
  void run_course(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) const;
  void run_krylov(std::span<const S> b, std::span<S> x, ColumnReport& report) const;
};

}  // namespace frond
