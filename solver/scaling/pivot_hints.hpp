// SPDX-License-Identifier: BSD-3-Clause
// What an analysis hears of the values of a matrix.
#pragma once

#include <optional>
#include <vector>

#include "analysis/pivots/block_triangular.hpp"
#include "frond/matrix.hpp"
#include "frond/options.hpp"
#include "solver/scaling/scaling.hpp"

namespace frond {

/// What the values tell the analysis: empty where it does not ask, for Cholesky and when the options exclude a matching.
struct PivotHints {
  std::vector<double> magnitudes;             ///< of the entries of the scaled matrix, by which pivots are sought
  std::optional<BlockTriangularForm> blocks;  ///< as the analysis looks for it, with which the matrix was scaled
};

/// `scales` are those of the matrix without a matching of its rows.
template <Scalar S>
[[nodiscard]] PivotHints pivot_hints(const MatrixView<S>& matrix, Method method, const SolverOptions& options, FoundScales& scales);

}  // namespace frond
