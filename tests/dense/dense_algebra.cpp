// SPDX-License-Identifier: BSD-3-Clause
#include "tests/dense/dense_algebra.hpp"

#include <Eigen/Dense>
#include <complex>

namespace frond::test {

template <Scalar S>
WideDense<S> wide(const DenseMatrix<S>& matrix) {
  WideDense<S> result(matrix.num_rows, matrix.num_cols);
  for (Index j = 0; j < matrix.num_cols; ++j) {
    for (Index i = 0; i < matrix.num_rows; ++i) {
      result(i, j) = Wide<S>(matrix(i, j));
    }
  }
  return result;
}

template <class W>
EigenMatrix<W> product(const EigenMatrix<W>& a, const EigenMatrix<W>& b) {
  return a * b;
}

template <class W>
EigenMatrix<W> solution(const EigenMatrix<W>& a, const EigenMatrix<W>& b) {
  return a.partialPivLu().solve(b);
}

template <class W>
EigenMatrix<W> inverse(const EigenMatrix<W>& a) {
  return solution<W>(a, EigenMatrix<W>::Identity(a.rows(), a.cols()));
}

template <class W>
Eigen::Matrix<W, Eigen::Dynamic, 1> pivots(const EigenMatrix<W>& a) {
  const Eigen::PartialPivLU<EigenMatrix<W>> lu(a);
  Eigen::Matrix<W, Eigen::Dynamic, 1> result = lu.matrixLU().diagonal();
  result(0) *= static_cast<double>(lu.permutationP().determinant());
  return result;
}

template <class W>
Eigen::VectorXd eigenvalues(const EigenMatrix<W>& a) {
  return Eigen::SelfAdjointEigenSolver<EigenMatrix<W>>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

// The positive eigenvalues of [0 A; A^H 0], as many as A has rows.
template <class W>
Eigen::VectorXd singular_values(const EigenMatrix<W>& a) {
  EigenMatrix<W> both = EigenMatrix<W>::Zero(2 * a.rows(), 2 * a.rows());
  both.topRightCorner(a.rows(), a.rows()) = a;
  both.bottomLeftCorner(a.rows(), a.rows()) = a.adjoint();
  return eigenvalues(both).tail(a.rows()).cwiseAbs().reverse();
}

template <Scalar S>
WideDense<S> dense_null_space(const DenseMatrix<S>& a, Operation operation, Index dimension) {
  WideDense<S> matrix = wide(a);
  if (operation == Operation::transposed) {
    matrix.transposeInPlace();
  } else if (operation == Operation::adjoint) {
    matrix.adjointInPlace();
  }
  const Eigen::JacobiSVD<WideDense<S>, Eigen::NoQRPreconditioner> svd(matrix, Eigen::ComputeFullV);
  return svd.matrixV().rightCols(dimension);
}

template <Scalar S>
double distance_of_spaces(const DenseMatrix<S>& basis, const WideDense<S>& other) {
  const WideDense<S> z = wide(basis);
  return (z - other * (other.adjoint() * z)).norm();
}

template <Scalar S>
double distance_from_orthonormal(const DenseMatrix<S>& basis) {
  const WideDense<S> z = wide(basis);
  return (z.adjoint() * z - WideDense<S>::Identity(z.cols(), z.cols())).cwiseAbs().maxCoeff();
}

template EigenMatrix<double> product(const EigenMatrix<double>&, const EigenMatrix<double>&);
template EigenMatrix<double> solution(const EigenMatrix<double>&, const EigenMatrix<double>&);
template EigenMatrix<double> inverse(const EigenMatrix<double>&);
template Eigen::Matrix<double, Eigen::Dynamic, 1> pivots(const EigenMatrix<double>&);
template Eigen::VectorXd eigenvalues(const EigenMatrix<double>&);
template Eigen::VectorXd singular_values(const EigenMatrix<double>&);
template EigenMatrix<std::complex<double>> product(const EigenMatrix<std::complex<double>>&,
                                                   const EigenMatrix<std::complex<double>>&);
template EigenMatrix<std::complex<double>> solution(const EigenMatrix<std::complex<double>>&,
                                                    const EigenMatrix<std::complex<double>>&);
template EigenMatrix<std::complex<double>> inverse(const EigenMatrix<std::complex<double>>&);
template Eigen::Matrix<std::complex<double>, Eigen::Dynamic, 1> pivots(const EigenMatrix<std::complex<double>>&);
template Eigen::VectorXd eigenvalues(const EigenMatrix<std::complex<double>>&);
template Eigen::VectorXd singular_values(const EigenMatrix<std::complex<double>>&);
template WideDense<float> wide(const DenseMatrix<float>&);
template WideDense<float> dense_null_space(const DenseMatrix<float>&, Operation, Index);
template double distance_of_spaces(const DenseMatrix<float>&, const WideDense<float>&);
template double distance_from_orthonormal(const DenseMatrix<float>&);
template WideDense<double> wide(const DenseMatrix<double>&);
template WideDense<double> dense_null_space(const DenseMatrix<double>&, Operation, Index);
template double distance_of_spaces(const DenseMatrix<double>&, const WideDense<double>&);
template double distance_from_orthonormal(const DenseMatrix<double>&);
template WideDense<std::complex<float>> wide(const DenseMatrix<std::complex<float>>&);
template WideDense<std::complex<float>> dense_null_space(const DenseMatrix<std::complex<float>>&, Operation, Index);
template double distance_of_spaces(const DenseMatrix<std::complex<float>>&, const WideDense<std::complex<float>>&);
template double distance_from_orthonormal(const DenseMatrix<std::complex<float>>&);
template WideDense<std::complex<double>> wide(const DenseMatrix<std::complex<double>>&);
template WideDense<std::complex<double>> dense_null_space(const DenseMatrix<std::complex<double>>&, Operation, Index);
template double distance_of_spaces(const DenseMatrix<std::complex<double>>&, const WideDense<std::complex<double>>&);
template double distance_from_orthonormal(const DenseMatrix<std::complex<double>>&);

}  // namespace frond::test
