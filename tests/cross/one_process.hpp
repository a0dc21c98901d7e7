// SPDX-License-Identifier: BSD-3-Clause
// What a linear system comes to in one process, for comparison.
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
  double condition = 0;  ///< of the matrix, in the 1-norm, as estimated
};

/// Factorizes and solves with all cores, in an order of variables of its own.
template <Scalar S>
[[nodiscard]] OneProcess<S> solve_in_one_process(const SparseMatrix<S>& matrix, std::span<const S> b);

/// The largest |x_i - y_i| in units of the largest |y_i|; infinite where something is no number.
template <Scalar S>
[[nodiscard]] double relative_difference(std::span<const S> x, std::span<const S> y);

}  // namespace frond::test
