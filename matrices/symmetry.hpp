// SPDX-License-Identifier: BSD-3-Clause
// The names of the symmetries of a matrix, and the values of mirrored entries.
#pragma once

#include <string_view>

#include "frond/types.hpp"
#include "matrices/words.hpp"

namespace frond {

/// Returns "general", "symmetric", "skew-symmetric" or "hermitian": the words of Matrix Market, used in Frond's messages and
/// reports.
[[nodiscard]] inline std::string_view to_string(Symmetry symmetry) {
  return Words<Symmetry, 4>{"symmetry", {"general", "symmetric", "skew-symmetric", "hermitian"}}.name(symmetry);
}

/// Returns the value at (j, i) of a matrix of this symmetry that holds `value` at (i, j).
template <Scalar S>
[[nodiscard]] constexpr S mirrored(Symmetry symmetry, S value) {
  switch (symmetry) {
    case Symmetry::skew_symmetric:
      return -value;
    case Symmetry::hermitian:
      return conjugate(value);
    default:
      return value;
  }
}

}  // namespace frond
