// SPDX-License-Identifier: BSD-3-Clause
// Finds matrices that would be symmetric if their entries had not been rounded.
#pragma once

#include "frond/matrix.hpp"

namespace frond {

struct NearSymmetry {
  Symmetry symmetry = Symmetry::general;  ///< symmetric or Hermitian; general: neither
  double gap = 0;                         ///< the largest |a_ij - a_ji| over the larger of |a_ij| and |a_ji|
};

/// For a square general matrix that find_symmetry() finds to be general. O(entries + columns), less if the values soon differ.
template <Scalar S>
[[nodiscard]] NearSymmetry find_near_symmetry(const MatrixView<S>& matrix);

}  // namespace frond
