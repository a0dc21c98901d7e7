// SPDX-License-Identifier: BSD-3-Clause
// Products of small integer matrices, whose rank is found by exact elimination.
#pragma once

#include <cstdint>
#include <vector>

#include "frond/matrix.hpp"

namespace frond::testing {

/// Integers of magnitude up to some thousands.
struct IntegerMatrix {
  Index order = 0;
  Symmetry symmetry = Symmetry::general;
  std::vector<std::int64_t> entries;  ///< column-major

  [[nodiscard]] std::int64_t operator()(Index row, Index col) const {
    return entries[static_cast<std::size_t>(row) + static_cast<std::size_t>(col) * static_cast<std::size_t>(order)];
  }
};

/// B C, or B D B^T with D diagonal, of random B, C and D with entries of at most 9: of rank order - defect or less.
[[nodiscard]] IntegerMatrix low_rank_matrix(Index order, Index defect, Symmetry symmetry, std::uint64_t seed);

/// By elimination modulo a prime of 31 bits: exact unless that divides one of the pivots' minors.
[[nodiscard]] Index rank_of(IntegerMatrix matrix);

template <Scalar S>
[[nodiscard]] SparseMatrix<S> as_sparse(const IntegerMatrix& matrix);

}  // namespace frond::testing
