// SPDX-License-Identifier: BSD-3-Clause
// Scales systems by multiplying rows and columns by powers of 2, which changes no bit of the results.
#pragma once

#include <cstdint>
#include <vector>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"

namespace frond::testing {

/// (R A C) (C^-1 x) = R b, with R = C for matrices that store one triangle.
template <Scalar S>
struct ScaledApart {
  SparseMatrix<S> matrix;  ///< R A C
  std::vector<int> row_exponents;
  std::vector<int> col_exponents;
};

/// Draws the exponents of R and C evenly from -largest to largest, and checks that no entry of R A C overflows or underflows.
template <Scalar S>
[[nodiscard]] ScaledApart<S> scaled_apart(const SparseMatrix<S>& matrix, int largest, std::uint64_t seed);

/// Returns D B for D = diag(2^exponents), or D^-1 B.
template <Scalar S>
[[nodiscard]] DenseMatrix<S> scaled_rows(DenseMatrix<S> b, const std::vector<int>& exponents, bool inverse = false);

}  // namespace frond::testing
