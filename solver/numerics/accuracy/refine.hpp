// SPDX-License-Identifier: BSD-3-Clause
// Solves with iterative refinement.
#pragma once

#include <span>

#include "frond/dense.hpp"
#include "frond/options.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond {

/// The ingredients of a solve with refinement: solves with the factors of a matrix, and the matrix.
template <Scalar S>
struct RefinedSolve {
  SolveInPlace<S> solve;               ///< with the factors, or with similar ones
  Operation operation;                 ///< plain, transposed or adjoint
  const BackwardErrorMeter<S>& meter;  ///< of the same operation
  RefinementOptions options = {};
  Observer* observer = nullptr;  ///< may be null

  /// Solves op(A) X = B for up to kSolveBlock columns, by RefinementCourse, and single columns by next_course(). Fills in one
  /// report per column. Columns are shared by the threads of the calling arena.
  void run(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) const;
};

}  // namespace frond
