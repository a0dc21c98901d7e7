// SPDX-License-Identifier: BSD-3-Clause
// Guards the number of threads that OpenBLAS keeps process-wide, and reports the kernels that it chose.
#pragma once

#include <optional>
#include <string>

#include "frond/types.hpp"

namespace frond {

/// While one of these lives, OpenBLAS calls of this process run on the calling thread alone (Frond's own tasks are the
/// parallelism), and num_threads() threads may make them at a time. The first guard remembers the number of threads that the
/// program had set, the last one restores it. Guards may be made in any thread.
///
/// OpenBLAS maps a buffer of 128 MiB for each caller and, where a limit of address space or data (ulimit -v, ulimit -d) forbids
/// that, tries again forever. So a guard maps the buffers of its threads before any call; they stay mapped for later callers.
class BlasThreadsGuard {
 public:
  /// Makes room for `wanted` threads, or for as many as the system lets map their buffers, their stacks and the `other_bytes` that
  /// the threads will need in addition. Throws MemoryError if there is not room for even one; UsageError if the loaded OpenBLAS was
  /// built without threads: such a build is not safe to call from several threads.
  explicit BlasThreadsGuard(int wanted = 1, Count other_bytes = 0);
  ~BlasThreadsGuard();
  BlasThreadsGuard(const BlasThreadsGuard&) = delete;
  BlasThreadsGuard& operator=(const BlasThreadsGuard&) = delete;

  [[nodiscard]] int num_threads() const { return num_threads_; }

 private:
  int num_threads_;
};

/// Returns the bytes of address space still to be mapped before `num_threads` threads can run and call OpenBLAS.
[[nodiscard]] Count unmapped_thread_bytes(int num_threads);

/// Returns OpenBLAS's own name for the kernels that it uses ("SkylakeX", "Haswell", ...).
[[nodiscard]] std::string blas_core_name();

/// Returns a sentence to show to the user when the environment makes OpenBLAS use kernels below what the processor can do;
/// otherwise empty.
[[nodiscard]] std::optional<std::string> blas_warning();

}  // namespace frond
