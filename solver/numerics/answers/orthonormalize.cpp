// SPDX-License-Identifier: BSD-3-Clause
// Uses Householder's QR factorization from LAPACK.
#include "solver/numerics/answers/orthonormalize.hpp"

#include <fmt/core.h>

#include <complex>
#include <vector>

#include "factorization/kernels/routine.hpp"
#include "frond/error.hpp"

extern "C" {
void sgeqrf_(const int* m, const int* n, float* a, const int* lda, float* tau, float* work, const int* lwork, int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork, int* info);
void cgeqrf_(const int* m, const int* n, std::complex<float>* a, const int* lda, std::complex<float>* tau,
             std::complex<float>* work, const int* lwork, int* info);
void zgeqrf_(const int* m, const int* n, std::complex<double>* a, const int* lda, std::complex<double>* tau,
             std::complex<double>* work, const int* lwork, int* info);
void sorgqr_(const int* m, const int* n, const int* k, float* a, const int* lda, const float* tau, float* work, const int* lwork,
             int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work, const int* lwork,
             int* info);
void cungqr_(const int* m, const int* n, const int* k, std::complex<float>* a, const int* lda, const std::complex<float>* tau,
             std::complex<float>* work, const int* lwork, int* info);
void zungqr_(const int* m, const int* n, const int* k, std::complex<double>* a, const int* lda, const std::complex<double>* tau,
             std::complex<double>* work, const int* lwork, int* info);
}

namespace frond {
namespace {

// Calls the routine twice: the first call returns the required workspace.
template <Scalar S, class Call>
void with_workspace(const char* name, Call call) {
  S wanted = 0;
  int info = call(&wanted, -1);
  if (info == 0) {
    std::vector<S> workspace(static_cast<std::size_t>(std::real(wanted)) + 1);
    info = call(workspace.data(), static_cast<int>(workspace.size()));
  }
  if (info != 0) {
    throw InternalError(fmt::format("LAPACK's {} refuses its argument {}", name, -info));
  }
}

}  // namespace

template <Scalar S>
void orthonormalize(DenseView<S> z) {
  if (z.empty()) {
    return;
  }
  std::vector<S> tau(static_cast<std::size_t>(z.cols));
  with_workspace<S>("xGEQRF", [&](S* workspace, int length) {
    int info = 0;
    routine<S>(sgeqrf_, dgeqrf_, cgeqrf_, zgeqrf_)(&z.rows, &z.cols, z.data, &z.ld, tau.data(), workspace, &length, &info);
    return info;
  });
  with_workspace<S>("xORGQR", [&](S* workspace, int length) {
    int info = 0;
    routine<S>(sorgqr_, dorgqr_, cungqr_, zungqr_)(&z.rows, &z.cols, &z.cols, z.data, &z.ld, tau.data(), workspace, &length, &info);
    return info;
  });
}

#define FROND_INSTANTIATE(S) template void orthonormalize(DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
