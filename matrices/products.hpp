// SPDX-License-Identifier: BSD-3-Clause
// Products of a sparse matrix with a vector, and the quantities that measure residuals and errors.
#pragma once

#include <span>

#include "frond/matrix.hpp"
#include "frond/types.hpp"

namespace frond {

/// y = op(A) x for any symmetry; O(entries). Throws a UsageError if a length does not match.
template <Scalar S>
void multiply(const MatrixView<S>& matrix, Operation operation, std::span<const S> x, std::span<S> y);

/// y = |op(A)| |x| with magnitudes taken entry by entry: the scale of the rounding errors of a residual.
template <Scalar S>
void multiply_magnitudes(const MatrixView<S>& matrix, Operation operation, std::span<const S> x, std::span<RealOf<S>> y);

/// Returns the largest sum of magnitudes over the rows of A.
template <Scalar S>
[[nodiscard]] RealOf<S> infinity_norm(const MatrixView<S>& matrix);

/// Returns the largest sum of magnitudes over the columns of A.
template <Scalar S>
[[nodiscard]] RealOf<S> one_norm(const MatrixView<S>& matrix);

}  // namespace frond
