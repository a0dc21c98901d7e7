// SPDX-License-Identifier: BSD-3-Clause
// Passes information on a matrix's values to its analysis.
#pragma once

#include <optional>
#include <vector>

#include "analysis/pivots/block_triangular.hpp"
#include "analysis/pivots/pivot_magnitudes.hpp"
#include "frond/matrix.hpp"
#include "frond/options.hpp"
#include "solver/numerics/scaling/scaling.hpp"

namespace frond {

/// The information from the values: empty if the analysis does not use it, for Cholesky and when the options exclude a matching.
struct PivotHints {
  std::vector<double> magnitudes;             ///< of the entries of the scaled matrix, for the choice of pivots
  double lowest_threshold = kUsualThreshold;  ///< lowest_threshold()
  std::optional<BlockTriangularForm> blocks;  ///< in the form that the analysis looks for; the matrix was scaled with it
};

/// The smallest pivot threshold of a factorization under these options: that to which it is lowered where delays are expensive.
template <Scalar S>
[[nodiscard]] double lowest_threshold(const SolverOptions& options);

/// Whether an analysis uses values.
[[nodiscard]] bool asks_for_magnitudes(Method method, const OrderingOptions& ordering);

/// The magnitudes of the entries of the matrix scaled as `options` request, with regard to its block triangular form. `scales` are
/// those of the matrix without a matching of its rows.
template <Scalar S>
[[nodiscard]] std::vector<double> scaled_magnitudes(const MatrixView<S>& matrix, const ScalingOptions& options,
                                                    const BlockTriangularForm& blocks, FoundScales& scales);

/// Computes all of them.
template <Scalar S>
[[nodiscard]] PivotHints pivot_hints(const MatrixView<S>& matrix, Method method, const SolverOptions& options, FoundScales& scales);

}  // namespace frond
