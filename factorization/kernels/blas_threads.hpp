// SPDX-License-Identifier: BSD-3-Clause
// What OpenBLAS keeps process-wide, behind one guard: its number of threads; and a look at the kernels it chose.
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
/// that, tries again for ever. So a guard has the buffers of its threads mapped before anybody calls; they stay mapped, for whoever
/// calls next.
class BlasThreadsGuard {
 public:
  /// Room for `wanted` threads, or for as many as the system lets map their buffers, their stacks and `other_bytes` that the
  /// threads will need besides. Throws MemoryError if that is not even one; UsageError if the OpenBLAS that is loaded was built
  /// without threads: such a build is not safe to call from several threads.
  explicit BlasThreadsGuard(int wanted = 1, Count other_bytes = 0);
  ~BlasThreadsGuard();
  BlasThreadsGuard(const BlasThreadsGuard&) = delete;
  BlasThreadsGuard& operator=(const BlasThreadsGuard&) = delete;

  [[nodiscard]] int num_threads() const { return num_threads_; }

 private:
  int num_threads_;
};

/// Address space that is still to be mapped until `num_threads` threads run and can call OpenBLAS.
[[nodiscard]] Count unmapped_thread_bytes(int num_threads);

/// The kernels that OpenBLAS uses, by its own name for them ("SkylakeX", "Haswell", ...).
[[nodiscard]] std::string blas_core_name();

/// A sentence to show to the user when the environment makes OpenBLAS use kernels below what the processor can do; empty otherwise.
[[nodiscard]] std::optional<std::string> blas_warning();

}  // namespace frond
