// SPDX-License-Identifier: BSD-3-Clause
// What OpenBLAS keeps process-wide, behind one guard: its number of threads; and a look at the kernels it chose.
#pragma once

#include <optional>
#include <string>

#include "matrices/types.hpp"

namespace frond {

/// While one of these lives, OpenBLAS calls of this process run on the calling thread alone (Frond's own tasks are the
/// parallelism). The first guard remembers the number of threads that the program had set, the last one restores it. Guards may be
/// made in any thread.
class BlasThreadsGuard {
 public:
  /// Throws UsageError if the OpenBLAS that is loaded was built without threads: such a build is not safe to call from several
  /// threads.
  BlasThreadsGuard();
  ~BlasThreadsGuard();
  BlasThreadsGuard(const BlasThreadsGuard&) = delete;
  BlasThreadsGuard& operator=(const BlasThreadsGuard&) = delete;
};

/// How many threads, at most `wanted`, can call OpenBLAS at a time: it maps a buffer of 128 MiB for each, and where a limit of
/// address space (ulimit -v) forbids that it tries again for ever. `other_bytes` is what else will be mapped before every thread
/// has made its first call. Throws MemoryError when not even one can.
[[nodiscard]] int possible_blas_threads(int wanted, Count other_bytes);

/// The kernels that OpenBLAS uses, by its own name for them ("SkylakeX", "Haswell", ...).
[[nodiscard]] std::string blas_core_name();

/// A sentence to show to the user when the environment makes OpenBLAS use kernels below what the processor can do; empty otherwise.
[[nodiscard]] std::optional<std::string> blas_warning();

}  // namespace frond
