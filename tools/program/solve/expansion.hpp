// SPDX-License-Identifier: BSD-3-Clause
// Checks, for `frond solve --schur ... --expand`, how well the other variables satisfy their equations.
#pragma once

#include <span>

#include "frond/dense.hpp"
#include "matrices/products.hpp"

namespace frond {

/// Returns the largest componentwise backward error of op(A) x = b over all columns and over the equations of variables that are
/// not `kept`; infinite if x is not finite.
template <Scalar S>
[[nodiscard]] double expansion_error(const MatrixView<S>& matrix, Operation operation, std::span<const Index> kept,
                                     DenseMatrix<S> b, const DenseMatrix<S>& x);

}  // namespace frond
