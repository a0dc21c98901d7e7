// SPDX-License-Identifier: BSD-3-Clause
// Holds the results of a linear system in one process, for comparison.
#pragma once

#include <span>
#include <vector>

#include "frond/matrix.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond::test {

template <Scalar S>
struct OneProcess {
  SystemReport report;
  std::vector<S> x;
  double condition = 0;  ///< estimate for the matrix in the 1-norm
};

/// Factorizes and solves with all cores, with its own ordering; general matrices, unless they are large, without fronts, so that
/// those of several processes are compared with another method.
template <Scalar S>
[[nodiscard]] OneProcess<S> solve_in_one_process(const SparseMatrix<S>& matrix, std::span<const S> b);

/// Returns the largest |x_i - y_i| divided by the largest |y_i|; infinite if any entry is not a number.
template <Scalar S>
[[nodiscard]] double relative_difference(std::span<const S> x, std::span<const S> y);

}  // namespace frond::test
