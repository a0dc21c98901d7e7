// SPDX-License-Identifier: BSD-3-Clause
// Scales of a matrix in block triangular form: those of its levels, which alone are factorized.
#pragma once

#include "analysis/pivots/block_triangular.hpp"
#include "solver/numerics/scaling/log_scales.hpp"

namespace frond {

/// The entries within the levels of a form that splits.
struct LevelMatrix {
  DiagonalLevels levels;
  LogMatrix matrix;  ///< with the pattern of `levels`

  LevelMatrix(const LogMatrix& whole, const BlockTriangularForm& blocks);
  LevelMatrix(const LevelMatrix&) = delete;
  LevelMatrix& operator=(const LevelMatrix&) = delete;
  ~LevelMatrix() = default;
};

/// Moves the rows of each level, and its columns the other way, so that no coupling is above 1 and each level moves by as little as
/// that takes; nothing within levels changes. Scales stay within their range, and couplings above 1 are left where they would not.
/// O(entries).
void shift_levels(const LogMatrix& whole, const BlockTriangularForm& blocks, LogScales& scales);

}  // namespace frond
