// SPDX-License-Identifier: BSD-3-Clause
// Vectors of numbers that the processor works on at once.
#pragma once

#include <complex>
#include <cstring>

#include "frond/types.hpp"

namespace frond {

/// Written out, because compilers turn sums that are to be independent into loops of shuffles, and do not take maxima in another
/// order than that of the loop. Every processor has instructions for sixteen bytes.
template <class S>
struct Lanes {
  static constexpr Index kCount = 16 / sizeof(S);
  typedef S Vector __attribute__((vector_size(16)));  // NOLINT(modernize-use-using): the attribute needs it

  static Vector load(const S* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof(Vector));
    return vector;
  }
  static void store(const Vector& vector, S* to) { std::memcpy(to, &vector, sizeof(Vector)); }
  static S total(const Vector& vector) {
    S sum = vector[0];
    for (Index k = 1; k < kCount; ++k) {
      sum += vector[k];
    }
    return sum;
  }
};

/// Handles complex numbers one by one.
template <class R>
struct Lanes<std::complex<R>> {
  static constexpr Index kCount = 1;
  using Vector = std::complex<R>;

  static Vector load(const Vector* from) { return *from; }
  static void store(const Vector& vector, Vector* to) { *to = vector; }
  static Vector total(const Vector& vector) { return vector; }
};

}  // namespace frond
