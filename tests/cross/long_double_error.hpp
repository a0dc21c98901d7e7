// SPDX-License-Identifier: BSD-3-Clause
// Computes the backward error of a solution without the products that the solver uses.
#pragma once

#include <span>

#include "frond/matrix.hpp"

namespace frond::test {

/// Returns ||b - A x|| / (||A|| ||x|| + ||b||) in maximum norms, in long double; infinite if it is not a number. O(entries).
template <Scalar S>
[[nodiscard]] double long_double_backward_error(const SparseMatrix<S>& matrix, std::span<const S> x, std::span<const S> b);

}  // namespace frond::test
