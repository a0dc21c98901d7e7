// SPDX-License-Identifier: BSD-3-Clause
// Computes the inverse of a factor by solving with it.
#pragma once

#include "frond/dense.hpp"
#include "tests/dense/dense_algebra.hpp"

namespace frond::testing {

/// Returns the inverse, from solve(x) with the identity; if complex, with i times the identity, so that a wrong conjugation shows.
template <Scalar S, class Solve>
[[nodiscard]] test::WideDense<S> inverse_part(Index order, const Solve& solve) {
  S unit = S(1);
  if constexpr (kIsComplex<S>) {
    unit = S(0, 1);
  }
  DenseMatrix<S> x(order, order);
  for (Index i = 0; i < order; ++i) {
    x(i, i) = unit;
  }
  solve(x);
  return test::wide(x) / test::Wide<S>(unit);
}

}  // namespace frond::testing
