// SPDX-License-Identifier: BSD-3-Clause
// Entries by the million, as several threads write them down while they read a file, and the matrix that they are.
#pragma once

#include "frond/matrix.hpp"
#include "matrices/large_vector.hpp"

namespace frond {

/// What Triplets are, in memory that is not set to zero first.
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

/// What compress() makes of the same triplets, bit by bit, by up to `num_threads` threads. They must lie within the matrix, and
/// within the triangle that its symmetry allows.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> compress_large(LargeTriplets<S> triplets, int num_threads);

}  // namespace frond
