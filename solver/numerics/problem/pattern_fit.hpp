// SPDX-License-Identifier: BSD-3-Clause
// Fits matrices to an analysed pattern that differs slightly from their own.
#pragma once

#include <optional>

#include "analysis/graph/owned_pattern.hpp"
#include "analysis/symbolic.hpp"
#include "frond/matrix.hpp"
#include "matrices/large_vector.hpp"

namespace frond {

/// A matrix with the pattern of an analysis.
template <Scalar S>
struct FittedMatrix {
  OwnedPattern pattern;
  LargeVector<S> values;
  Count num_missing = 0;  ///< entries of the pattern that the matrix lacks: zeros

  [[nodiscard]] MatrixView<S> view() const { return {pattern.view(), values}; }
};

/// Returns nothing if the pattern of `matrix` is the analysed one, entry by entry; otherwise the same matrix in that pattern: its
/// entries may be in another order or in the other triangle, and some may be missing. Throws UsageError for a matrix of another
/// order or symmetry, and for a nonzero entry that was not analysed, naming it (`is_transposed`: by the rows and columns of the
/// transposed matrix). O(entries).
template <Scalar S>
[[nodiscard]] std::optional<FittedMatrix<S>> fit_to_analysis(const Symbolic& symbolic, const MatrixView<S>& matrix,
                                                             bool is_transposed = false);

}  // namespace frond
