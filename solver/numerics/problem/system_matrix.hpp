// SPDX-License-Identifier: BSD-3-Clause
// Checks that arrays form the matrix of a linear system.
#pragma once

#include "frond/matrix.hpp"

namespace frond {

/// Throws UsageError when the arrays do not form a matrix (lengths, offsets, indices), A is not square, or a value is NaN or
/// infinite (naming the entry).
template <Scalar S>
void check_system(const SystemMatrix<S>& matrix);

}  // namespace frond
