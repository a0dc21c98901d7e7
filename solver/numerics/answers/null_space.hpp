// SPDX-License-Identifier: BSD-3-Clause
// The null space of a singular matrix, from factors that have found it singular.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "frond/answers.hpp"
#include "frond/dense.hpp"
#include "frond/factorization_report.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/sweeps/sweep_part.hpp"

namespace frond {

/// What a basis is found with.
template <Scalar S>
struct NullSpaceProblem {
  MatrixView<S> matrix;                   ///< as it is stored; only the one who calls needs it
  Operation operation;                    ///< on the stored matrix
  std::span<const Index> null_pivots;     ///< as in FactorizationReport
  bool is_singular_by_condition = false;  ///< as in SystemReport
  int num_threads = 0;
};

/// With a number for a null pivot, and none for the others, F2^-1 gives a null vector (see SweepPart). Vectors for all null pivots
/// are made orthonormal, then lose what the factors make of their residuals, as long as that makes them better. Of a matrix that
/// only its condition number tells to be singular the one vector comes from inverse iteration. Throws what `solve` throws, and
/// MemoryError.
template <Scalar S>
[[nodiscard]] NullSpace<S> find_null_space(const NullSpaceProblem<S>& problem, const SolvePart<S>& solve);

/// The answer where there are no factors.
template <Scalar S>
[[nodiscard]] NullSpace<S> unknown_null_space(Index order);

/// Static pivoting takes null pivots for small ones.
[[nodiscard]] bool may_hide_null_space(const FactorizationReport& report);

/// The answer where it may have done so.
template <Scalar S>
[[nodiscard]] NullSpace<S> hidden_null_space(Index order);

}  // namespace frond
