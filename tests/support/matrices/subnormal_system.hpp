// SPDX-License-Identifier: BSD-3-Clause
// Generates systems scaled so small that entries of the matrix are subnormal.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"

namespace frond::testing {

/// D A x = D b with a known x, all without rounding.
template <Scalar S>
struct SubnormalSystem {
  SparseMatrix<S> matrix;  ///< D A
  DenseMatrix<S> b;        ///< D b
  DenseMatrix<S> x;
};

/// The Laplacian of a `size` x `size` grid, with rows multiplied by a power of 2 that makes them subnormal: all rows, or every
/// other row of a general matrix.
template <Scalar S>
[[nodiscard]] SubnormalSystem<S> subnormal_system(Index size, Symmetry symmetry, bool all_rows) {
  using R = RealOf<S>;
  constexpr R kOrdinary = 0x1p30;  // of x, so that right-hand sides are normal numbers
  const auto scale = [&](Index row) {
    return all_rows || row % 2 == 0 ? std::ldexp(R(1), std::numeric_limits<R>::min_exponent - 5) : R(1);
  };
  const Index n = size * size;
  Triplets<S> triplets{n, n, symmetry};
  SubnormalSystem<S> system{{}, DenseMatrix<S>(n, 1), DenseMatrix<S>(n, 1)};
  for (Index i = 0; i < n; ++i) {
    system.x(i, 0) = S(kOrdinary * static_cast<R>(1 + i % 5));
  }
  const auto add = [&](Index i, Index j, R value) {
    system.b(i, 0) += S(value * scale(i) * std::real(system.x(j, 0)));
    if (symmetry == Symmetry::general || i >= j) {
      triplets.add(i, j, S(value * scale(i)));
    }
  };
  for (Index i = 0; i < n; ++i) {
    add(i, i, R(4));
    for (const Index step : {Index(1), size}) {
      const bool has_next = step == 1 ? i % size + 1 < size : i + size < n;
      if (has_next) {
        add(i, i + step, R(-1));
        add(i + step, i, R(-1));
      }
    }
  }
  system.matrix = compress(std::move(triplets));
  return system;
}

/// The largest error of x relative to its largest entry, in units of the rounding error.
template <Scalar S>
[[nodiscard]] double error_in_ulps(const SubnormalSystem<S>& system, const DenseMatrix<S>& x) {
  double error = 0;
  double size = 0;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    error = std::max(error, static_cast<double>(std::abs(x.values[i] - system.x.values[i])));
    size = std::max(size, static_cast<double>(std::abs(system.x.values[i])));
  }
  return error / size / static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
}

}  // namespace frond::testing
