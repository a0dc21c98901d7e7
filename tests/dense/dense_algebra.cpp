// SPDX-License-Identifier: BSD-3-Clause
// Calls Eigen and LAPACK, compiled once for all tests.
#include "tests/dense/dense_algebra.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <complex>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
void dsyev_(const char* vectors, const char* uplo, const int* n, double* a, const int* lda, double* values, double* work,
            const int* lwork, int* info);
void zheev_(const char* vectors, const char* uplo, const int* n, std::complex<double>* a, const int* lda, double* values,
            std::complex<double>* work, const int* lwork, double* real_work, int* info);
void dgesvd_(const char* left, const char* right, const int* m, const int* n, double* a, const int* lda, double* values, double* u,
             const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* info);
void zgesvd_(const char* left, const char* right, const int* m, const int* n, std::complex<double>* a, const int* lda,
             double* values, std::complex<double>* u, const int* ldu, std::complex<double>* vt, const int* ldvt,
             std::complex<double>* work, const int* lwork, double* real_work, int* info);
}

namespace frond::test {
namespace {

// Calls the routine twice: the first call returns the size of the workspace.
template <class W, class Call>
void with_workspace(const char* name, Call call) {
  W wanted = 0;
  int info = call(&wanted, -1);
  if (info == 0) {
    std::vector<W> workspace(static_cast<std::size_t>(std::real(wanted)) + 1);
    info = call(workspace.data(), static_cast<int>(workspace.size()));
  }
  if (info != 0) {
    throw std::runtime_error(std::string(name) + " returns " + std::to_string(info));
  }
}

// Returns a copy to overwrite, with one extra column at the end: products of OpenBLAS 0.3.21 with rows of complex matrices read one
// entry too many (its issue 4013), which crashes where no memory is mapped.
template <class W>
EigenMatrix<W> with_spare_column(const EigenMatrix<W>& a) {
  EigenMatrix<W> copy = EigenMatrix<W>::Zero(a.rows(), a.cols() + 1);
  copy.leftCols(a.cols()) = a;
  return copy;
}

}  // namespace

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
  EigenMatrix<W> overwritten = with_spare_column(a);
  const auto n = static_cast<int>(a.rows());
  const int ld = std::max(n, 1);
  Eigen::VectorXd values(n);
  with_workspace<W>("xSYEV", [&](W* work, int length) {
    int info = 0;
    if constexpr (kIsComplex<W>) {
      std::vector<double> real_work(static_cast<std::size_t>(std::max(3 * n - 2, 1)));
      zheev_("N", "L", &n, overwritten.data(), &ld, values.data(), work, &length, real_work.data(), &info);
    } else {
      dsyev_("N", "L", &n, overwritten.data(), &ld, values.data(), work, &length, &info);
    }
    return info;
  });
  return values;
}

template <class W>
Eigen::VectorXd singular_values(const EigenMatrix<W>& a) {
  EigenMatrix<W> overwritten = with_spare_column(a);
  const auto n = static_cast<int>(a.rows());
  const int ld = std::max(n, 1);
  Eigen::VectorXd values(n);
  W* const no_vectors = nullptr;
  constexpr int kOne = 1;
  with_workspace<W>("xGESVD", [&](W* work, int length) {
    int info = 0;
    if constexpr (kIsComplex<W>) {
      std::vector<double> real_work(static_cast<std::size_t>(std::max(5 * n, 1)));
      zgesvd_("N", "N", &n, &n, overwritten.data(), &ld, values.data(), no_vectors, &kOne, no_vectors, &kOne, work, &length,
              real_work.data(), &info);
    } else {
      dgesvd_("N", "N", &n, &n, overwritten.data(), &ld, values.data(), no_vectors, &kOne, no_vectors, &kOne, work, &length, &info);
    }
    return info;
  });
  return values;
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
#define FROND_INSTANTIATE(S)                                                       \
  template WideDense<S> wide(const DenseMatrix<S>&);                               \
  template WideDense<S> dense_null_space(const DenseMatrix<S>&, Operation, Index); \
  template double distance_of_spaces(const DenseMatrix<S>&, const WideDense<S>&);  \
  template double distance_from_orthonormal(const DenseMatrix<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::test
