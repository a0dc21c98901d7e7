// SPDX-License-Identifier: BSD-3-Clause
// Computes the shapes of grids.
#include "solver/numerics/schur/schur_grid.hpp"

#include <fmt/core.h>

#include <cmath>

#include "frond/error.hpp"

namespace frond {

GridShape schur_grid_shape(const SchurGrid& grid, Rank num_ranks) {
  GridShape shape{grid.num_rows, grid.num_cols};
  if (shape.num_rows == 0 && shape.num_cols == 0) {
    shape.num_rows = static_cast<Rank>(std::sqrt(static_cast<double>(num_ranks)));
    shape.num_cols = num_ranks / shape.num_rows;
  }
  if (shape.num_rows < 1 || shape.num_cols < 1 || static_cast<Count>(shape.num_rows) * shape.num_cols > num_ranks ||
      grid.block_size < 1) {
    throw UsageError(
        fmt::format("a Schur complement cannot be spread over {} by {} ranks of {} in blocks of {}: the grid needs one rank at "
                    "least, and no more "
                    "than there are, and blocks one row",
                    shape.num_rows, shape.num_cols, num_ranks, grid.block_size));
  }
  return shape;
}

}  // namespace frond
