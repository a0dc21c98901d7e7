// SPDX-License-Identifier: BSD-3-Clause
// Systems in other units: rows and columns multiplied by powers of 2, which changes no bit of what follows from them.
#pragma once

#include <cstdint>
#include <vector>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"

namespace frond::testing {

/// (R A C) (C^-1 x) = R b. For matrices of which one triangle is held R = C.
template <Scalar S>
struct ScaledApart {
  SparseMatrix<S> matrix;  ///< R A C
  std::vector<int> row_exponents;
  std::vector<int> col_exponents;
};

/// With exponents of R and C that are drawn evenly from -largest to largest. Entries of R A C must neither overflow nor underflow,
/// which is checked.
template <Scalar S>
[[nodiscard]] ScaledApart<S> scaled_apart(const SparseMatrix<S>& matrix, int largest, std::uint64_t seed);

/// D B for D = diag(2^exponents), or D^-1 B.
template <Scalar S>
[[nodiscard]] DenseMatrix<S> scaled_rows(DenseMatrix<S> b, const std::vector<int>& exponents, bool inverse = false);

}  // namespace frond::testing
