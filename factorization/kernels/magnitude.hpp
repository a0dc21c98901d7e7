// SPDX-License-Identifier: BSD-3-Clause
// Measures entries as pivot tests do.
#pragma once

#include <cmath>

#include "factorization/kernels/blas.hpp"

namespace frond {

/// |re| + |im|: an upper bound of the modulus, at most sqrt(2) times it, and the size by which BLAS finds the index of the maximum.
template <Scalar S>
[[nodiscard]] RealOf<S> magnitude_bound(S value) {
  if constexpr (kIsComplex<S>) {
    return std::abs(value.real()) + std::abs(value.imag());
  } else {
    return std::abs(value);
  }
}

/// The largest magnitude_bound among n entries, 0 for n = 0.
template <Scalar S>
[[nodiscard]] RealOf<S> max_magnitude(Index n, const S* x, Index stride = 1) {
  return n > 0 ? magnitude_bound(x[static_cast<Count>(blas::index_of_max(n, x, stride)) * stride]) : RealOf<S>(0);
}

}  // namespace frond
