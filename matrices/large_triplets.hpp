// SPDX-License-Identifier: BSD-3-Clause
// Millions of triplets, written by several threads while they read a file, and their compression to a matrix.
#pragma once

#include "frond/matrix.hpp"
#include "matrices/large_vector.hpp"

namespace frond {

/// Triplets in memory that is not zeroed first.
template <Scalar S>
struct LargeTriplets {
  Index num_rows = 0;
  Index num_cols = 0;
  Symmetry symmetry = Symmetry::general;
  LargeVector<Index> rows = {};
  LargeVector<Index> cols = {};
  LargeVector<S> values = {};

  [[nodiscard]] Count num_entries() const { return static_cast<Count>(rows.size()); }
};

/// Returns bit for bit what compress() makes of the same triplets, using up to `num_threads` threads. They must lie within the
/// matrix and within the triangle that its symmetry allows.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> compress_large(LargeTriplets<S> triplets, int num_threads);

}  // namespace frond
