// SPDX-License-Identifier: BSD-3-Clause
// Scaling of rows and columns so that the largest magnitude of each is near 1.
#pragma once

#include <span>
#include <vector>

#include "matrices/products.hpp"
#include "matrices/sparse_matrix.hpp"
#include "solver/options.hpp"

namespace frond {

/// D_r and D_c, powers of 2; both empty when every scale is 1. Equal for symmetric, skew-symmetric and Hermitian matrices.
template <class R>
struct Scaling {
  std::vector<R> rows;
  std::vector<R> cols;
  int num_sweeps = 0;  ///< passes over the entries that changed the scales
};

/// The scaling of the unknowns of op(A) x = b.
template <class R>
[[nodiscard]] std::span<const R> unknown_scaling(const Scaling<R>& scaling, Operation operation) {
  return operation == Operation::plain ? scaling.cols : scaling.rows;
}

/// Simultaneous row and column scaling in the maximum norm (Ruiz 2001, "A scaling algorithm to equilibrate both rows and columns
/// norms in matrices"): every sweep divides row i by the square root of its largest magnitude, and column j likewise. Symmetric
/// kinds start from scales that make the diagonal one. Stops when all maxima are within 1 +- tolerance, or after max_sweeps. Rows
/// and columns of zeros keep the scale 1. Scales are kept within the square root of the range of R, so that neither they nor scaled
/// values overflow. O(entries) per sweep.
template <Scalar S>
[[nodiscard]] Scaling<RealOf<S>> equilibrate(const MatrixView<S>& matrix, const EquilibrationOptions& options);

/// Magnitudes of the entries of the equilibrated matrix, by which the analysis seeks pivots; nothing where it does not ask for
/// them: for Cholesky, and when `options` exclude a matching.
template <Scalar S>
[[nodiscard]] std::vector<double> magnitudes_for_pivots(const MatrixView<S>& matrix, Method method, const SolverOptions& options);

}  // namespace frond
