// SPDX-License-Identifier: BSD-3-Clause
// The inverse of a factor, from solves with it.
#pragma once

#include "frond/dense.hpp"
#include "tests/dense/dense_algebra.hpp"

namespace frond::testing {

/// What solve(x) makes of the identity; multiples of i are put in, so that whatever is conjugated where it should not be shows.
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
