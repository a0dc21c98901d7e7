// SPDX-License-Identifier: BSD-3-Clause
// Factors with numbers below the smallest normal one.
#pragma once

#include "factorization/factors.hpp"
#include "frond/matrix.hpp"

namespace frond::test {

/// Symmetric, with a diagonal of 1 and couplings of 1e-155: fill is below 1e-308.
[[nodiscard]] SparseMatrix<double> weakly_coupled_grid();

/// Of the triangles of all fronts that are there.
[[nodiscard]] Count num_subnormals(const Factors<double>& factors);

}  // namespace frond::test
