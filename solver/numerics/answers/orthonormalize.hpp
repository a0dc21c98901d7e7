// SPDX-License-Identifier: BSD-3-Clause
// Computes orthonormal bases.
#pragma once

#include "frond/dense.hpp"

namespace frond {

/// The columns of Z, at most as many as it has rows, become an orthonormal basis of their span, by Householder reflections
/// (LAPACK's xGEQRF, xORGQR): orthonormal to a few eps even if they were linearly dependent. The caller holds a BlasThreadsGuard.
template <Scalar S>
void orthonormalize(DenseView<S> z);

}  // namespace frond
