// SPDX-License-Identifier: BSD-3-Clause
// Numbers that are neither NaN nor infinite.
#pragma once

#include <cmath>
#include <complex>

#include "matrices/types.hpp"

namespace frond {

template <Scalar S>
[[nodiscard]] bool is_finite(S value) {
  return std::isfinite(std::real(value)) && std::isfinite(std::imag(value));
}

}  // namespace frond
