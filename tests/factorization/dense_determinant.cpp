// SPDX-License-Identifier: BSD-3-Clause
// Eigen's factorization, and the condition number in the Frobenius norm, at most n times that of the singular values: their
// templates take minutes to compile.
#include "tests/factorization/dense_determinant.hpp"

#include <Eigen/Dense>
#include <limits>

#include "tests/factorization/dense_oracle.hpp"

namespace frond::test {

template <Scalar S>
DenseDeterminant dense_determinant(const DenseMatrix<S>& a) {
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  const auto wide = Eigen::Map<const Matrix>(a.values.data(), a.num_rows, a.num_cols).template cast<Wide<S>>().eval();
  const auto lu = wide.partialPivLu();
  DenseDeterminant result;
  for (Index k = 0; k < a.num_rows; ++k) {
    result.value *= Determinant(lu.matrixLU()(k, k));
  }
  result.value *= Determinant(static_cast<double>(lu.permutationP().determinant()));
  const auto condition = static_cast<double>(wide.norm() * lu.inverse().norm());
  result.tolerance = 10 * a.num_rows * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()) * condition;
  return result;
}

template DenseDeterminant dense_determinant(const DenseMatrix<float>&);
template DenseDeterminant dense_determinant(const DenseMatrix<double>&);
template DenseDeterminant dense_determinant(const DenseMatrix<std::complex<float>>&);
template DenseDeterminant dense_determinant(const DenseMatrix<std::complex<double>>&);

}  // namespace frond::test
