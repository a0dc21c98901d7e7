// SPDX-License-Identifier: BSD-3-Clause
// Magnitudes of the inverse of a small matrix, and what factors leave of it.
#pragma once

#include <vector>

#include "frond/dense.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond {

/// G, what solves with factors make of unit vectors, in the place of op(A)^-1, and E = |I - G op(A)|, gathered in twice the working
/// precision. The solves are plain or adjoint; magnitudes of the transposed inverse are those of the adjoint one.
template <Scalar S>
class SmallInverse {
 public:
  /// Takes n solves, and n operations an entry.
  SmallInverse(const MatrixView<S>& matrix, Operation operation, const SolveInPlace<S>& solve);

  /// The largest entry of a bound of |op(A)^-1| f, f >= 0: that is |G| f + E |op(A)^-1| f at most, so that sums of E^k |G| f bound
  /// it if they converge. Infinite where they do not: the factors say nothing then.
  [[nodiscard]] double norm_of_product(const std::vector<double>& f) const;

 private:
  void measure_rest(const MatrixView<S>& matrix, bool is_plain, const DenseMatrix<S>& inverse);

  DenseMatrix<double> magnitudes_;  // |G|
  DenseMatrix<double> rest_;        // E
};

}  // namespace frond
