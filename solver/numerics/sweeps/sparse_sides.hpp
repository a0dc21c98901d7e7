// SPDX-License-Identifier: BSD-3-Clause
// Handles right-hand sides that are mostly zeros.
#pragma once

#include "frond/dense.hpp"
#include "frond/matrix.hpp"

namespace frond {

/// Throws UsageError unless B has that many rows and columns, its arrays have the right lengths, it is general, and its values are
/// finite.
template <Scalar S>
void check_sparse_sides(Index order, Index num_columns, const MatrixView<S>& b);

/// The columns [begin, end) as a dense matrix.
template <Scalar S>
[[nodiscard]] DenseMatrix<S> dense_columns(const MatrixView<S>& b, Index begin, Index end);

}  // namespace frond
