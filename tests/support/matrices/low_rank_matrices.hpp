// SPDX-License-Identifier: BSD-3-Clause
// Generates products of small integer matrices, whose rank is found by exact elimination.
#pragma once

#include <cstdint>
#include <vector>

#include "frond/matrix.hpp"

namespace frond::testing {

/// An integer matrix with entries of magnitude up to a few thousand.
struct IntegerMatrix {
  Index order = 0;
  Symmetry symmetry = Symmetry::general;
  std::vector<std::int64_t> entries;  ///< column-major

  [[nodiscard]] std::int64_t operator()(Index row, Index col) const {
    return entries[static_cast<std::size_t>(row) + static_cast<std::size_t>(col) * static_cast<std::size_t>(order)];
  }
};

/// Returns B C, or B D B^T with D diagonal, for random B, C and D with entries of magnitude at most 9; the rank is at most order -
/// defect.
[[nodiscard]] IntegerMatrix low_rank_matrix(Index order, Index defect, Symmetry symmetry, std::uint64_t seed);

/// Eliminates modulo a 31-bit prime: exact unless the prime divides one of the pivots' minors.
[[nodiscard]] Index rank_of(IntegerMatrix matrix);

template <Scalar S>
[[nodiscard]] SparseMatrix<S> as_sparse(const IntegerMatrix& matrix);

}  // namespace frond::testing
