// SPDX-License-Identifier: BSD-3-Clause
// Computes the magnitudes of the inverse of a small matrix, and the error of its factors.
#pragma once

#include <vector>

#include "frond/dense.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond {

/// G, the result of solves with the factors for unit vectors, in place of op(A)^-1, and E = |I - G op(A)|, accumulated in twice the
/// working precision. The solves are plain or adjoint; magnitudes of the transposed inverse are those of the adjoint one.
template <Scalar S>
class SmallInverse {
 public:
  /// Takes n solves, and n operations per entry.
  SmallInverse(const MatrixView<S>& matrix, Operation operation, const SolveInPlace<S>& solve);

  /// The largest entry of a bound of |op(A)^-1| f, f >= 0: that is |G| f + E |op(A)^-1| f at most, so that sums of E^k |G| f bound
  /// it if they converge. Infinite if they do not: the factors are then useless for a bound.
  [[nodiscard]] double norm_of_product(const std::vector<double>& f) const;

 private:
  void measure_rest(const MatrixView<S>& matrix, bool is_plain, const DenseMatrix<S>& inverse);

  DenseMatrix<double> magnitudes_;  // |G|
  DenseMatrix<double> rest_;        // E
};

}  // namespace frond
