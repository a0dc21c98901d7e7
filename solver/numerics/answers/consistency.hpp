// SPDX-License-Identifier: BSD-3-Clause
// Decides whether a singular system has solutions, whatever the units of its rows and columns.
#pragma once

#include <span>

#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/answers/null_space.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

/// A right-hand side, the solution of the equations that have pivots, and its report.
template <Scalar S>
struct SolvedColumn {
  std::span<const S> b;
  std::span<const S> x;
  ColumnReport* report;
};

/// Fills in ColumnReport::consistency_error and ::consistency. A x = b has solutions if y^H b = 0 for all y with y^H A = 0, and
/// each null pivot has one such y, which is 1 at its own pivot and 0 at the others. Rounding errors of size eps in each entry of A
/// and b, relative to the entry, change y^H (b - A x) by up to
///
///   eps |y|^T (|A| |x| + |b|),
///
/// and the error is the largest quotient of both, times eps. Scaling rows and columns changes neither. (Equation by
/// equation, |b - A x|_i over (|A| |x| + |b|)_i is an upper bound, which saves the vectors y where it is small; but equations
/// without a pivot get the errors of others, which may have larger terms.)
///
/// The error is also not smaller than the normwise one of x. An error of at most the accuracy target shows that x is a solution. A
/// y with |y^H A| at most that target times |y|^T |A|, entry by entry, and y^H b larger than rounding explains, shows that there is
/// no solution. Everything else is in doubt. `solve` is called for op(A)^H, in blocks of kSolveBlock columns; without null pivots
/// or without `solve`, which factors of another matrix do not have, the componentwise backward error is used. Throws what `solve`
/// throws, and MemoryError.
template <Scalar S>
void measure_consistency(const NullSpaceProblem<S>& problem, const SolveInPlace<S>& solve,
                         std::span<const SolvedColumn<S>> columns);

}  // namespace frond
