// SPDX-License-Identifier: BSD-3-Clause
// Picks one of the four routines of each kind that BLAS, LAPACK and ScaLAPACK have.
#pragma once

#include <complex>
#include <type_traits>

#include "frond/types.hpp"

namespace frond {

/// Picks the routine of the scalar's type among the four of a family.
template <Scalar S, class F, class D, class C, class Z>
constexpr auto routine(F f, D d, C c, Z z) {
  if constexpr (std::is_same_v<S, float>) {
    return f;
  } else if constexpr (std::is_same_v<S, double>) {
    return d;
  } else if constexpr (std::is_same_v<S, std::complex<float>>) {
    return c;
  } else {
    return z;
  }
}

}  // namespace frond
