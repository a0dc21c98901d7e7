// SPDX-License-Identifier: BSD-3-Clause
// Declares ScaLAPACK, which has no header, and forwards the typed calls to it.
#include "factorization/scalapack/routines.hpp"

#include "factorization/kernels/routine.hpp"
#include "frond/error.hpp"

extern "C" {
void psgetrf_(const int* m, const int* n, float* a, const int* ia, const int* ja, const int* desca, int* ipiv, int* info);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja, const int* desca, int* ipiv, int* info);
void pcgetrf_(const int* m, const int* n, std::complex<float>* a, const int* ia, const int* ja, const int* desca, int* ipiv,
              int* info);
void pzgetrf_(const int* m, const int* n, std::complex<double>* a, const int* ia, const int* ja, const int* desca, int* ipiv,
              int* info);
void pstrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
             const float* alpha, const float* a, const int* ia, const int* ja, const int* desca, float* b, const int* ib,
             const int* jb, const int* descb);
void pdtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
             const double* alpha, const double* a, const int* ia, const int* ja, const int* desca, double* b, const int* ib,
             const int* jb, const int* descb);
void pctrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
             const std::complex<float>* alpha, const std::complex<float>* a, const int* ia, const int* ja, const int* desca,
             std::complex<float>* b, const int* ib, const int* jb, const int* descb);
void pztrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
             const std::complex<double>* alpha, const std::complex<double>* a, const int* ia, const int* ja, const int* desca,
             std::complex<double>* b, const int* ib, const int* jb, const int* descb);
void pslapiv_(const char* direc, const char* rowcol, const char* pivroc, const int* m, const int* n, float* a, const int* ia,
              const int* ja, const int* desca, const int* ipiv, const int* ip, const int* jp, const int* descip, int* iwork);
void pdlapiv_(const char* direc, const char* rowcol, const char* pivroc, const int* m, const int* n, double* a, const int* ia,
              const int* ja, const int* desca, const int* ipiv, const int* ip, const int* jp, const int* descip, int* iwork);
void pclapiv_(const char* direc, const char* rowcol, const char* pivroc, const int* m, const int* n, std::complex<float>* a,
              const int* ia, const int* ja, const int* desca, const int* ipiv, const int* ip, const int* jp, const int* descip,
              int* iwork);
void pzlapiv_(const char* direc, const char* rowcol, const char* pivroc, const int* m, const int* n, std::complex<double>* a,
              const int* ia, const int* ja, const int* desca, const int* ipiv, const int* ip, const int* jp, const int* descip,
              int* iwork);
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

// Places in a descriptor.
constexpr std::size_t kRows = 2;
constexpr std::size_t kCols = 3;
constexpr std::size_t kRowBlock = 4;
constexpr std::size_t kColBlock = 5;
constexpr std::size_t kFirstCol = 7;
constexpr std::size_t kLeadingDimension = 8;

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
void trsm(blas::Triangle triangle, blas::Op op, blas::Diagonal diagonal, const Matrix<S>& a, const Matrix<S>& b) {
  const char* uplo = triangle == blas::Triangle::lower ? "L" : "U";
  const char* trans = op == blas::Op::none ? "N" : op == blas::Op::transpose ? "T" : "C";
  const char* diag = diagonal == blas::Diagonal::unit ? "U" : "N";
  const S one(1);
  routine<S>(pstrsm_, pdtrsm_, pctrsm_, pztrsm_)("L", uplo, trans, diag, &b.descriptor[kRows], &b.descriptor[kCols], &one,
                                                 a.entries, &kOne, &kOne, a.descriptor.data(), b.entries, &kOne, &kOne,
                                                 b.descriptor.data());
}

// A rank describes its exchanges as a column that is distributed like the rows, behind which there is room for a block.
template <Scalar S>
void exchange_rows(bool is_forward, const Exchanges& exchanges, const Matrix<S>& b) {
  std::array<int, 9> column = b.descriptor;
  column[kRows] += column[kRowBlock] * exchanges.num_grid_rows;
  column[kCols] = 1;
  column[kColBlock] = 1;
  column[kFirstCol] = exchanges.grid_col;
  column[kLeadingDimension] = exchanges.num_local_rows + column[kRowBlock];
  routine<S>(pslapiv_, pdlapiv_, pclapiv_, pzlapiv_)(is_forward ? "F" : "B", "R", "C", &b.descriptor[kRows], &b.descriptor[kCols],
                                                     b.entries, &kOne, &kOne, b.descriptor.data(), exchanges.rows, &kOne, &kOne,
                                                     column.data(), nullptr);
}

template <Scalar S>
void copy_columns(const Columns<S>& from, const Columns<S>& to, Index num_cols, int context) {
  const int from_col = from.begin + 1;
  const int to_col = to.begin + 1;
  const int rows = from.matrix.descriptor[kRows];
  routine<S>(psgemr2d_, pdgemr2d_, pcgemr2d_, pzgemr2d_)(&rows, &num_cols, from.matrix.entries, &kOne, &from_col,
                                                         from.matrix.descriptor.data(), to.matrix.entries, &kOne, &to_col,
                                                         to.matrix.descriptor.data(), &context);
}

#define FROND_INSTANTIATE(S)                                                                        \
  template Matrix<S> matrix(S*, int, Index, Index, Index, Index, Index);                            \
  template void getrf(Index, const Matrix<S>&, int*);                                               \
  template void trsm(blas::Triangle, blas::Op, blas::Diagonal, const Matrix<S>&, const Matrix<S>&); \
  template void exchange_rows(bool, const Exchanges&, const Matrix<S>&);                            \
  template void copy_columns(const Columns<S>&, const Columns<S>&, Index, int);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::scalapack
