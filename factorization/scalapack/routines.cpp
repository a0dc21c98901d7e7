// SPDX-License-Identifier: BSD-3-Clause
// Declares ScaLAPACK, which has no header, and forwards the typed calls to it.
#include "factorization/scalapack/routines.hpp"

#include "factorization/kernels/routine.hpp"
#include "matrices/error.hpp"

extern "C" {
void psgetrf_(const int* m, const int* n, float* a, const int* ia, const int* ja, const int* desca, int* ipiv, int* info);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja, const int* desca, int* ipiv, int* info);
void pcgetrf_(const int* m, const int* n, std::complex<float>* a, const int* ia, const int* ja, const int* desca, int* ipiv,
              int* info);
void pzgetrf_(const int* m, const int* n, std::complex<double>* a, const int* ia, const int* ja, const int* desca, int* ipiv,
              int* info);
void pspotrs_(const char* uplo, const int* n, const int* nrhs, const float* a, const int* ia, const int* ja, const int* desca,
              float* b, const int* ib, const int* jb, const int* descb, int* info);
void pdpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* ia, const int* ja, const int* desca,
              double* b, const int* ib, const int* jb, const int* descb, int* info);
void pcpotrs_(const char* uplo, const int* n, const int* nrhs, const std::complex<float>* a, const int* ia, const int* ja,
              const int* desca, std::complex<float>* b, const int* ib, const int* jb, const int* descb, int* info);
void pzpotrs_(const char* uplo, const int* n, const int* nrhs, const std::complex<double>* a, const int* ia, const int* ja,
              const int* desca, std::complex<double>* b, const int* ib, const int* jb, const int* descb, int* info);
void psgetrs_(const char* trans, const int* n, const int* nrhs, const float* a, const int* ia, const int* ja, const int* desca,
              const int* ipiv, float* b, const int* ib, const int* jb, const int* descb, int* info);
void pdgetrs_(const char* trans, const int* n, const int* nrhs, const double* a, const int* ia, const int* ja, const int* desca,
              const int* ipiv, double* b, const int* ib, const int* jb, const int* descb, int* info);
void pcgetrs_(const char* trans, const int* n, const int* nrhs, const std::complex<float>* a, const int* ia, const int* ja,
              const int* desca, const int* ipiv, std::complex<float>* b, const int* ib, const int* jb, const int* descb, int* info);
void pzgetrs_(const char* trans, const int* n, const int* nrhs, const std::complex<double>* a, const int* ia, const int* ja,
              const int* desca, const int* ipiv, std::complex<double>* b, const int* ib, const int* jb, const int* descb,
              int* info);
void psgemr2d_(const int* m, const int* n, const float* a, const int* ia, const int* ja, const int* desca, float* b, const int* ib,
               const int* jb, const int* descb, const int* context);
void pdgemr2d_(const int* m, const int* n, const double* a, const int* ia, const int* ja, const int* desca, double* b,
               const int* ib, const int* jb, const int* descb, const int* context);
void pcgemr2d_(const int* m, const int* n, const std::complex<float>* a, const int* ia, const int* ja, const int* desca,
               std::complex<float>* b, const int* ib, const int* jb, const int* descb, const int* context);
void pzgemr2d_(const int* m, const int* n, const std::complex<double>* a, const int* ia, const int* ja, const int* desca,
               std::complex<double>* b, const int* ib, const int* jb, const int* descb, const int* context);
}

namespace frond::scalapack {
namespace {

constexpr int kOne = 1;  // rows and columns are counted from it

// An argument that ScaLAPACK finds wrong is a defect of the call, and found on all ranks.
void check_arguments(int info) {
  if (info < 0) {
    throw InternalError("ScaLAPACK was called with a wrong argument, by its code " + std::to_string(info));
  }
}

}  // namespace

template <Scalar S>
Matrix<S> matrix(S* entries, int context, Index rows, Index cols, Index row_block, Index col_block, Index ld) {
  constexpr int kDenseMatrix = 1;
  return {entries, {kDenseMatrix, context, rows, cols, row_block, col_block, 0, 0, ld}};
}

template <Scalar S>
void getrf(Index n, const Matrix<S>& a, int* exchanged) {
  int info = 0;  // the first pivot that is exactly zero, if any
  routine<S>(psgetrf_, pdgetrf_, pcgetrf_, pzgetrf_)(&n, &n, a.entries, &kOne, &kOne, a.descriptor.data(), exchanged, &info);
  check_arguments(info);
}

template <Scalar S>
void potrs(Index n, Index num_rhs, const Matrix<S>& a, const Matrix<S>& b) {
  int info = 0;
  routine<S>(pspotrs_, pdpotrs_, pcpotrs_, pzpotrs_)("L", &n, &num_rhs, a.entries, &kOne, &kOne, a.descriptor.data(), b.entries,
                                                     &kOne, &kOne, b.descriptor.data(), &info);
  check_arguments(info);
}

template <Scalar S>
void getrs(blas::Op op, Index n, Index num_rhs, const Matrix<S>& a, const int* exchanged, const Matrix<S>& b) {
  const char* code = op == blas::Op::none ? "N" : op == blas::Op::transpose ? "T" : "C";
  int info = 0;
  routine<S>(psgetrs_, pdgetrs_, pcgetrs_, pzgetrs_)(code, &n, &num_rhs, a.entries, &kOne, &kOne, a.descriptor.data(), exchanged,
                                                     b.entries, &kOne, &kOne, b.descriptor.data(), &info);
  check_arguments(info);
}

template <Scalar S>
void copy_columns(const Columns<S>& from, const Columns<S>& to, Index num_cols, int context) {
  const int from_col = from.begin + 1;
  const int to_col = to.begin + 1;
  const int rows = from.matrix.descriptor[2];
  routine<S>(psgemr2d_, pdgemr2d_, pcgemr2d_, pzgemr2d_)(&rows, &num_cols, from.matrix.entries, &kOne, &from_col,
                                                         from.matrix.descriptor.data(), to.matrix.entries, &kOne, &to_col,
                                                         to.matrix.descriptor.data(), &context);
}

template Matrix<float> matrix(float*, int, Index, Index, Index, Index, Index);
template void getrf(Index, const Matrix<float>&, int*);
template void potrs(Index, Index, const Matrix<float>&, const Matrix<float>&);
template void getrs(blas::Op, Index, Index, const Matrix<float>&, const int*, const Matrix<float>&);
template void copy_columns(const Columns<float>&, const Columns<float>&, Index, int);
template Matrix<double> matrix(double*, int, Index, Index, Index, Index, Index);
template void getrf(Index, const Matrix<double>&, int*);
template void potrs(Index, Index, const Matrix<double>&, const Matrix<double>&);
template void getrs(blas::Op, Index, Index, const Matrix<double>&, const int*, const Matrix<double>&);
template void copy_columns(const Columns<double>&, const Columns<double>&, Index, int);
template Matrix<std::complex<float>> matrix(std::complex<float>*, int, Index, Index, Index, Index, Index);
template void getrf(Index, const Matrix<std::complex<float>>&, int*);
template void potrs(Index, Index, const Matrix<std::complex<float>>&, const Matrix<std::complex<float>>&);
template void getrs(blas::Op, Index, Index, const Matrix<std::complex<float>>&, const int*, const Matrix<std::complex<float>>&);
template void copy_columns(const Columns<std::complex<float>>&, const Columns<std::complex<float>>&, Index, int);
template Matrix<std::complex<double>> matrix(std::complex<double>*, int, Index, Index, Index, Index, Index);
template void getrf(Index, const Matrix<std::complex<double>>&, int*);
template void potrs(Index, Index, const Matrix<std::complex<double>>&, const Matrix<std::complex<double>>&);
template void getrs(blas::Op, Index, Index, const Matrix<std::complex<double>>&, const int*, const Matrix<std::complex<double>>&);
template void copy_columns(const Columns<std::complex<double>>&, const Columns<std::complex<double>>&, Index, int);

}  // namespace frond::scalapack
