// SPDX-License-Identifier: BSD-3-Clause
// Forwards the typed calls to CBLAS and LAPACK.
#include "factorization/kernels/blas.hpp"

#include <cblas.h>

#include "factorization/kernels/routine.hpp"

extern "C" {
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void cpotrf_(const char* uplo, const int* n, std::complex<float>* a, const int* lda, int* info);
void zpotrf_(const char* uplo, const int* n, std::complex<double>* a, const int* lda, int* info);
}

namespace frond::blas {
namespace {

constexpr CBLAS_TRANSPOSE code(Op op) { return op == Op::none ? CblasNoTrans : op == Op::transpose ? CblasTrans : CblasConjTrans; }
constexpr CBLAS_SIDE code(Side side) { return side == Side::left ? CblasLeft : CblasRight; }
constexpr CBLAS_UPLO code(Triangle triangle) { return triangle == Triangle::lower ? CblasLower : CblasUpper; }
constexpr CBLAS_DIAG code(Diagonal diagonal) { return diagonal == Diagonal::unit ? CblasUnit : CblasNonUnit; }

// CBLAS takes real scalars by value and complex ones by address.
template <Scalar S>
auto factor(const S& alpha) {
  if constexpr (kIsComplex<S>) {
    return static_cast<const void*>(&alpha);
  } else {
    return alpha;
  }
}

}  // namespace

template <Scalar S>
void gemm(Op op_a, Op op_b, S alpha, DenseView<const S> a, DenseView<const S> b, DenseView<S> c) {
  const Index inner = op_a == Op::none ? a.cols : a.rows;
  if (c.empty() || inner == 0) {
    return;
  }
  const S one = S(1);
  routine<S>(cblas_sgemm, cblas_dgemm, cblas_cgemm, cblas_zgemm)(CblasColMajor, code(op_a), code(op_b), c.rows, c.cols, inner,
                                                                 factor(alpha), a.data, a.ld, b.data, b.ld, factor(one), c.data,
                                                                 c.ld);
}

// y += alpha x_n a_n for the last column a_n of A.
template <Scalar S>
void add_last_column(S alpha, DenseView<const S> a, const S* x, Index x_stride, S* y, Index y_stride) {
  const S multiple = alpha * x[static_cast<Count>(a.cols - 1) * x_stride];
  const S* last = a.column(a.cols - 1);
  for (Index i = 0; i < a.rows; ++i) {
    y[static_cast<Count>(i) * y_stride] += last[i] * multiple;
  }
}

// OpenBLAS 0.3.21 reads one complex entry of x behind the last one, where a page may end (its issue 4013): it gets all columns of A
// except the last, so that the entry read exists.
template <Scalar S>
void gemv(Op op, S alpha, DenseView<const S> a, const S* x, Index x_stride, S* y, Index y_stride) {
  if (kIsComplex<S> && op == Op::none && !a.empty()) {
    add_last_column(alpha, a, x, x_stride, y, y_stride);
    a = a.columns(0, a.cols - 1);
  }
  if (a.empty()) {
    return;
  }
  const S one = S(1);
  routine<S>(cblas_sgemv, cblas_dgemv, cblas_cgemv, cblas_zgemv)(CblasColMajor, code(op), a.rows, a.cols, factor(alpha), a.data,
                                                                 a.ld, x, x_stride, factor(one), y, y_stride);
}

template <Scalar S>
void trsm(Side side, Triangle triangle, Op op, Diagonal diagonal, DenseView<const S> t, DenseView<S> b) {
  if (b.empty()) {
    return;
  }
  const S one = S(1);
  routine<S>(cblas_strsm, cblas_dtrsm, cblas_ctrsm, cblas_ztrsm)(
      CblasColMajor, code(side), code(triangle), code(op), code(diagonal), b.rows, b.cols, factor(one), t.data, t.ld, b.data, b.ld);
}

template <Scalar S>
void trsv(Triangle triangle, Op op, Diagonal diagonal, DenseView<const S> t, S* x, Index x_stride) {
  if (t.empty()) {
    return;
  }
  routine<S>(cblas_strsv, cblas_dtrsv, cblas_ctrsv, cblas_ztrsv)(CblasColMajor, code(triangle), code(op), code(diagonal), t.rows,
                                                                 t.data, t.ld, x, x_stride);
}

template <Scalar S>
void axpy(Index n, S alpha, const S* x, S* y) {
  routine<S>(cblas_saxpy, cblas_daxpy, cblas_caxpy, cblas_zaxpy)(n, factor(alpha), x, 1, y, 1);
}

template <Scalar S>
void scal(Index n, S alpha, S* x) {
  if (n == 0) {
    return;
  }
  routine<S>(cblas_sscal, cblas_dscal, cblas_cscal, cblas_zscal)(n, factor(alpha), x, 1);
}

template <Scalar S>
void swap(Index n, S* x, Index x_stride, S* y, Index y_stride) {
  routine<S>(cblas_sswap, cblas_dswap, cblas_cswap, cblas_zswap)(n, x, x_stride, y, y_stride);
}

template <Scalar S>
void ger(S alpha, const S* x, const S* y, Index y_stride, DenseView<S> a) {
  if (a.empty()) {
    return;
  }
  routine<S>(cblas_sger, cblas_dger, cblas_cgeru, cblas_zgeru)(CblasColMajor, a.rows, a.cols, factor(alpha), x, 1, y, y_stride,
                                                               a.data, a.ld);
}

template <Scalar S>
Index index_of_max(Index n, const S* x, Index x_stride) {
  if (n == 0) {
    return -1;
  }
  return static_cast<Index>(routine<S>(cblas_isamax, cblas_idamax, cblas_icamax, cblas_izamax)(n, x, x_stride));
}

template <Scalar S>
Index potrf(DenseView<S> a) {
  int info = 0;
  routine<S>(spotrf_, dpotrf_, cpotrf_, zpotrf_)("L", &a.rows, a.data, &a.ld, &info);
  return static_cast<Index>(info - 1);
}

#define FROND_INSTANTIATE(S)                                                              \
  template void gemm<S>(Op, Op, S, DenseView<const S>, DenseView<const S>, DenseView<S>); \
  template void gemv<S>(Op, S, DenseView<const S>, const S*, Index, S*, Index);           \
  template void trsm<S>(Side, Triangle, Op, Diagonal, DenseView<const S>, DenseView<S>);  \
  template void trsv<S>(Triangle, Op, Diagonal, DenseView<const S>, S*, Index);           \
  template void axpy<S>(Index, S, const S*, S*);                                          \
  template void scal<S>(Index, S, S*);                                                    \
  template void swap<S>(Index, S*, Index, S*, Index);                                     \
  template void ger<S>(S, const S*, const S*, Index, DenseView<S>);                       \
  template Index index_of_max<S>(Index, const S*, Index);                                 \
  template Index potrf<S>(DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::blas
