// SPDX-License-Identifier: BSD-3-Clause
// Numbers that are neither NaN nor infinite.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <span>

#include "matrices/types.hpp"

namespace frond {

template <Scalar S>
[[nodiscard]] bool is_finite(S value) {
  return std::isfinite(std::real(value)) && std::isfinite(std::imag(value));
}

/// The largest magnitude; infinite when an entry is NaN or infinite, so that no NaN is lost in a comparison. 0 for no entries.
template <Scalar S>
[[nodiscard]] RealOf<S> largest_magnitude(std::span<const S> x) {
  using R = RealOf<S>;
  R largest = 0;
  for (const S value : x) {
    const R magnitude = std::abs(value);
    if (!std::isfinite(magnitude)) {
      return std::numeric_limits<R>::infinity();
    }
    largest = std::max(largest, magnitude);
  }
  return largest;
}

}  // namespace frond
