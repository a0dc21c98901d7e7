// SPDX-License-Identifier: BSD-3-Clause
// The backward error of a solution, found without the products that the solver uses.
#pragma once

#include <span>

#include "frond/matrix.hpp"

namespace frond::test {

/// ||b - A x|| / (||A|| ||x|| + ||b||), maximum norms, in long double; infinite when it is no number. O(entries).
template <Scalar S>
[[nodiscard]] double long_double_backward_error(const SparseMatrix<S>& matrix, std::span<const S> x, std::span<const S> b);

}  // namespace frond::test
