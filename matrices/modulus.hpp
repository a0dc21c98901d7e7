// SPDX-License-Identifier: BSD-3-Clause
// |z| of a complex number without the careful and slow std::hypot where a square root will do.
#pragma once

#include <cmath>
#include <limits>

#include "frond/types.hpp"

namespace frond {

/// |value|, to within two rounding errors: a square root where the square neither overflows nor loses digits, std::abs elsewhere.
template <Scalar S>
[[nodiscard, gnu::always_inline]] inline RealOf<S> modulus(S value) {
  using R = RealOf<S>;
  if constexpr (kIsComplex<S>) {
    constexpr R kLeast = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon();
    const R square = value.real() * value.real() + value.imag() * value.imag();
    if (square >= kLeast && square <= std::numeric_limits<R>::max()) {
      return std::sqrt(square);
    }
  }
  return std::abs(value);
}

}  // namespace frond
