// SPDX-License-Identifier: BSD-3-Clause
// Counts the guards under a lock, since OpenBLAS's number of threads belongs to the whole process.
#include "factorization/kernels/blas_threads.hpp"

#include <cblas.h>

#include <cstdlib>
#include <mutex>
#include <string_view>

#include "matrices/error.hpp"

namespace frond {
namespace {

struct ThreadCount {
  std::mutex mutex;
  int num_guards = 0;
  int before = 1;
};

ThreadCount& thread_count() {
  static ThreadCount count;
  return count;
}

constexpr int kOpenBlasSequential = 0;  // openblas_get_parallel(): 0 no threads, 1 pthreads, 2 OpenMP

}  // namespace

BlasThreadsGuard::BlasThreadsGuard() {
  if (openblas_get_parallel() == kOpenBlasSequential) {
    throw UsageError(
        "the OpenBLAS that is loaded was built without threads and must not be called from several: install libopenblas0-pthread "
        "and make it the "
        "system's choice (update-alternatives --config libopenblas.so.0-x86_64-linux-gnu)");
  }
  ThreadCount& count = thread_count();
  const std::lock_guard lock(count.mutex);
  if (count.num_guards++ == 0) {
    count.before = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
}

BlasThreadsGuard::~BlasThreadsGuard() {
  ThreadCount& count = thread_count();
  const std::lock_guard lock(count.mutex);
  if (--count.num_guards == 0) {
    openblas_set_num_threads(count.before);
  }
}

std::string blas_core_name() { return openblas_get_corename(); }

std::optional<std::string> blas_warning() {
  const char* forced = std::getenv("OPENBLAS_CORETYPE");
  if (forced == nullptr || *forced == '\0') {
    return std::nullopt;
  }
  __builtin_cpu_init();
  const bool has_avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  const std::string core = blas_core_name();
  const bool uses_avx512 = core == "SkylakeX" || core == "Cooperlake" || core == "SapphireRapids";
  const bool uses_avx2 = uses_avx512 || core == "Haswell" || core == "Zen" || core == "Excavator";
  if ((has_avx512 && !uses_avx512) || (has_avx2 && !uses_avx2)) {
    return "the environment variable OPENBLAS_CORETYPE=" + std::string(forced) + " makes OpenBLAS use its " + core +
           " kernels, below what this processor can do: unset it for full speed";
  }
  return std::nullopt;
}

}  // namespace frond
