// SPDX-License-Identifier: BSD-3-Clause
// Finds the null space of a singular matrix, from factors that have found it singular.
#pragma once

#include <span>

#include "frond/answers.hpp"
#include "frond/dense.hpp"
#include "frond/factorization_report.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/sweeps/sweep.hpp"

namespace frond {

/// The inputs for a basis.
template <Scalar S>
struct NullSpaceProblem {
  MatrixView<S> matrix;                   ///< as it is stored; only the caller needs it
  Operation operation;                    ///< with the stored matrix
  std::span<const Index> null_pivots;     ///< as in FactorizationReport
  bool is_singular_by_condition = false;  ///< as in SystemReport
  int num_threads = 0;
};

/// F2^-1 applied to a unit vector of a null pivot gives a null vector (see SweepPart). Vectors for all null pivots are
/// orthonormalized, then corrected by solving for their residuals as long as that improves them. If only the condition number shows
/// that a matrix is singular, the one vector comes from inverse iteration. Throws what `solve` throws, and MemoryError.
template <Scalar S>
[[nodiscard]] NullSpace<S> find_null_space(const NullSpaceProblem<S>& problem, const SolveInPlace<S>& solve);

/// The result if there are no factors.
template <Scalar S>
[[nodiscard]] NullSpace<S> unknown_null_space(Index order);

/// Static pivoting treats null pivots as small ones.
[[nodiscard]] bool may_hide_null_space(const FactorizationReport& report);

/// The result if static pivoting may have hidden a null space.
template <Scalar S>
[[nodiscard]] NullSpace<S> hidden_null_space(Index order);

}  // namespace frond
