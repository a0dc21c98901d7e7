// SPDX-License-Identifier: BSD-3-Clause
// Scales a matrix in block triangular form by its levels, which alone are factorized.
#pragma once

#include "analysis/pivots/block_triangular.hpp"
#include "solver/numerics/scaling/log_scales.hpp"

namespace frond {

/// The entries within the levels of a block triangular form that splits.
struct LevelMatrix {
  SelectedEntries levels;
  LogMatrix matrix;  ///< with the pattern of `levels`

  LevelMatrix(const LogMatrix& whole, const BlockTriangularForm& blocks);
  LevelMatrix(const LevelMatrix&) = delete;
  LevelMatrix& operator=(const LevelMatrix&) = delete;
  ~LevelMatrix() = default;
};

/// Moves the rows of each level, and its columns the other way, so that no coupling is above 1 and each level moves as little as
/// possible; entries within levels do not change. Scales stay within their range, even if that leaves couplings above 1.
/// O(entries).
void shift_levels(const LogMatrix& whole, const BlockTriangularForm& blocks, LogScales& scales);

}  // namespace frond
