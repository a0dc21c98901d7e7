// SPDX-License-Identifier: BSD-3-Clause
// What an analysis hears of the values of a matrix.
#pragma once

#include <optional>
#include <vector>

#include "analysis/pivots/block_triangular.hpp"
#include "frond/matrix.hpp"
#include "frond/options.hpp"
#include "solver/numerics/scaling/scaling.hpp"

namespace frond {

/// What the values tell the analysis: empty where it does not ask, for Cholesky and when the options exclude a matching.
struct PivotHints {
  std::vector<double> magnitudes;             ///< of the entries of the scaled matrix, by which pivots are sought
  std::optional<BlockTriangularForm> blocks;  ///< as the analysis looks for it, with which the matrix was scaled
};

/// Whether an analysis looks at values.
[[nodiscard]] bool asks_for_magnitudes(Method method, const OrderingOptions& ordering);

/// Those of the entries of the matrix that is scaled as `options` ask, with regard to its block triangular form. `scales` are those
/// of the matrix without a matching of its rows.
template <Scalar S>
[[nodiscard]] std::vector<double> scaled_magnitudes(const MatrixView<S>& matrix, const ScalingOptions& options,
                                                    const BlockTriangularForm& blocks, FoundScales& scales);

/// Both parts, one after the other.
template <Scalar S>
[[nodiscard]] PivotHints pivot_hints(const MatrixView<S>& matrix, Method method, const SolverOptions& options, FoundScales& scales);

}  // namespace frond
