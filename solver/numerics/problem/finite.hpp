// SPDX-License-Identifier: BSD-3-Clause
// Checks that numbers are neither NaN nor infinite.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <span>

#include "factorization/kernels/lanes.hpp"
#include "frond/types.hpp"

namespace frond {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <Scalar S>
[[nodiscard]] bool is_finite(S value) {
  return std::isfinite(std::real(value)) && std::isfinite(std::imag(value));
}

/// The largest magnitude; infinite when an entry is NaN or infinite, so that no NaN is lost in a comparison. 0 for no entries.
template <Scalar S>
[[nodiscard]] RealOf<S> largest_magnitude(std::span<const S> x) {
  using R = RealOf<S>;
  R largest = 0;
  std::size_t i = 0;
  if constexpr (!kIsComplex<S>) {
    using L = Lanes<S>;
    using Vector = typename L::Vector;
    constexpr std::size_t kVectors = 4;  // at a time: so comparisons do not wait for each other
    std::array<Vector, kVectors> most{};
    Vector nothing{};  // stays zero while everything is finite
    for (; i + kVectors * L::kCount <= x.size(); i += kVectors * L::kCount) {
      for (std::size_t k = 0; k < kVectors; ++k) {
        const Vector value = L::load(x.data() + i + k * L::kCount);
        const Vector magnitude = value < 0 ? -value : value;
        nothing += value - value;
        most[k] = magnitude > most[k] ? magnitude : most[k];
      }
    }
    if (L::total(nothing) != 0) {
      return std::numeric_limits<R>::infinity();
    }
    for (std::size_t k = 0; k < kVectors * L::kCount; ++k) {
      largest = std::max(largest, most[k / L::kCount][k % L::kCount]);
    }
  }
  for (; i < x.size(); ++i) {
    const R magnitude = std::abs(x[i]);
    if (!std::isfinite(magnitude)) {
      return std::numeric_limits<R>::infinity();
    }
    largest = std::max(largest, magnitude);
  }
  return largest;
}

}  // namespace frond
