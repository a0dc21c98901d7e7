// SPDX-License-Identifier: BSD-3-Clause
// A Schur complement that is spread over ranks in two dimensions.
#pragma once

#include <array>
#include <vector>

#include "factorization/distributed/root_layout.hpp"

namespace frond {

/// A grid of the first ranks of a communicator, row by row: rank r is at (r / num_cols, r % num_cols), as BLACS numbers them by
/// rows.
struct SchurGrid {
  Index block_size = 64;  ///< of the square blocks that are dealt out
  GridShape shape{0, 0};  ///< {0, 0}: all ranks, as nearly square as may be with no more columns than ranks allow
};

/// What one rank holds of it, in ScaLAPACK's layout: all entries, also where it is symmetric.
template <Scalar S>
struct SchurPart {
  RootLayout layout;
  bool is_in_grid = false;  ///< false: this rank holds nothing, and is at no position
  GridPosition position;
  std::vector<S> entries;  ///< column-major, leading dimension layout.leading_dimension(position)

  /// ScaLAPACK's array descriptor DESC_ of the matrix in the given BLACS context; -1 as context where the rank is not in the grid.
  [[nodiscard]] std::array<int, 9> descriptor(int blacs_context) const {
    constexpr int kDenseMatrix = 1;
    return {kDenseMatrix,
            is_in_grid ? blacs_context : -1,
            layout.order(),
            layout.order(),
            layout.block_size(),
            layout.block_size(),
            0,
            0,
            is_in_grid ? layout.leading_dimension(position) : 1};
  }
};

}  // namespace frond
