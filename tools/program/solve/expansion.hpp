// SPDX-License-Identifier: BSD-3-Clause
// `frond solve --schur ... --expand`: how well the other variables solve their equations.
#pragma once

#include <span>

#include "frond/dense.hpp"
#include "matrices/products.hpp"

namespace frond {

/// The largest componentwise backward error of op(A) x = b in the equations that are not those of `kept` variables, over all
/// columns; infinite where x is not finite.
template <Scalar S>
[[nodiscard]] double expansion_error(const MatrixView<S>& matrix, Operation operation, std::span<const Index> kept,
                                     DenseMatrix<S> b, const DenseMatrix<S>& x);

}  // namespace frond
