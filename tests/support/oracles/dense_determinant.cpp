// SPDX-License-Identifier: BSD-3-Clause
// Multiplies the pivots of a dense LU factorization.
#include "tests/support/oracles/dense_determinant.hpp"

#include <limits>

#include "tests/dense/dense_algebra.hpp"

namespace frond::test {

template <Scalar S>
DenseDeterminant dense_determinant(const DenseMatrix<S>& a) {
  const WideDense<S> matrix = wide(a);
  DenseDeterminant result;
  for (const Wide<S> pivot : pivots(matrix)) {
    result.value *= Determinant(pivot);
  }
  const double condition = matrix.norm() * inverse(matrix).norm();
  result.tolerance = 10 * a.num_rows * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()) * condition;
  return result;
}

template DenseDeterminant dense_determinant(const DenseMatrix<float>&);
template DenseDeterminant dense_determinant(const DenseMatrix<double>&);
template DenseDeterminant dense_determinant(const DenseMatrix<std::complex<float>>&);
template DenseDeterminant dense_determinant(const DenseMatrix<std::complex<double>>&);

}  // namespace frond::test
