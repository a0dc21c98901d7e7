// SPDX-License-Identifier: BSD-3-Clause
// Counts the guards under a lock, since OpenBLAS's number of threads belongs to the whole process.
#include "factorization/kernels/blas_threads.hpp"

#include <cblas.h>
#include <sys/mman.h>

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
  bool has_buffer = false;  // OpenBLAS has mapped a buffer, which it keeps for whoever calls next
};

ThreadCount& thread_count() {
  static ThreadCount count;
  return count;
}

constexpr Count kBufferBytes =
    (Count{128} << 20) + (Count{1} << 16);  // of OpenBLAS on x86-64, and the header of the block it is cut from

constexpr Count kThreadBytes = Count{136} << 20;  // a thread's stack, and the address space that malloc sets aside for it

bool can_map(Count bytes) {
  void* memory = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return false;
  }
  munmap(memory, static_cast<std::size_t>(bytes));
  return true;
}

// Any call that packs makes OpenBLAS map its buffer.
void take_buffer() {
  const double one = 1;
  double x = 1;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1, 1, 1.0, &one, 1, &x, 1);
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

int possible_blas_threads(int wanted, Count other_bytes) {
  ThreadCount& count = thread_count();
  const std::lock_guard lock(count.mutex);
  if (!count.has_buffer && !can_map(kBufferBytes)) {
    throw MemoryError("OpenBLAS needs " + std::to_string(kBufferBytes) +
                          " bytes of address space, which the system refuses: raise the limit (ulimit -v)",
                      kBufferBytes, 0);
  }
  if (!count.has_buffer) {
    take_buffer();
    count.has_buffer = true;
  }
  while (wanted > 1 && !can_map((wanted - 1) * (kBufferBytes + kThreadBytes) + other_bytes)) {
    --wanted;
  }
  return wanted;
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
