// SPDX-License-Identifier: BSD-3-Clause
// Finds pairs of variables of a symmetric matrix that make good 2 by 2 pivots.
#pragma once

#include <limits>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {

/// [variable] = the one with which it should be eliminated, or itself. The cycles of the matching with the largest product are cut
/// into pairs, each along an entry of the matching; of the two ways to cut a cycle of even length the one with the larger product
/// is taken, and of a cycle of odd length the variable with the largest diagonal entry remains alone (Duff & Pralet 2005,
/// "Strategies for scaling and pivoting for sparse symmetric indefinite problems", SIAM J. Matrix Anal. Appl. 27). `matrix` holds
/// magnitudes of both triangles. The matching is the best one if that takes at most `most_looks` visits of entries, otherwise
/// nearly the best (nearly_largest_product_matching()).
[[nodiscard]] std::vector<Index> pivot_partners(const MatrixView<double>& matrix,
                                                Count most_looks = std::numeric_limits<Count>::max());

}  // namespace frond
