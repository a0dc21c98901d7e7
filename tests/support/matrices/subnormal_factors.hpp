// SPDX-License-Identifier: BSD-3-Clause
// Generates factors that contain subnormal numbers, and counts them.
#pragma once

#include "factorization/factors.hpp"
#include "frond/matrix.hpp"

namespace frond::test {

/// Symmetric, with a diagonal of 1 and couplings of 1e-155: fill is below 1e-308.
[[nodiscard]] SparseMatrix<double> weakly_coupled_grid();

/// Counts in the triangles of all fronts that are present.
[[nodiscard]] Count num_subnormals(const Factors<double>& factors);

}  // namespace frond::test
