// SPDX-License-Identifier: BSD-3-Clause
// Finds the variables of a symmetric matrix that need partners, because their diagonal entries are too small for pivots.
#pragma once

#include <vector>

#include "frond/matrix.hpp"

namespace frond {

/// [variable] = the one with which it is to be eliminated, one of the two having a weak diagonal entry, or itself. Empty if no
/// variable has such a partner. One triangle of the matrix is held, or both.
template <Scalar S>
[[nodiscard]] std::vector<Index> weak_pairs(const MatrixView<S>& matrix);

}  // namespace frond
