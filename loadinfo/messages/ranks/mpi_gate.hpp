// SPDX-License-Identifier: BSD-3-Clause
// Which threads of a process may call MPI, and the lock with which they take turns if necessary.
#pragma once

#include <mutex>

#include "frond/types.hpp"

namespace frond {

/// What MPI grants the threads of a process, in MPI's own order.
enum class MpiThreadLevel {
  single,      ///< there is one thread
  funneled,    ///< the thread that initialized MPI calls it
  serialized,  ///< all may call it, one at a time
  multiple     ///< all may call it at any time
};

/// Passed to all callers of MPI in one process. Under MpiThreadLevel::serialized the thread inside keeps the others out and must
/// not call anything that enters again, such as a channel; under the other levels there is nothing to guard.
class MpiGate {
 public:
  explicit MpiGate(MpiThreadLevel level) : level_(level) {}

  [[nodiscard]] MpiThreadLevel level() const { return level_; }
  [[nodiscard]] bool threads_may_call() const { return level_ >= MpiThreadLevel::serialized; }

  /// Stays inside until the result is destroyed. Adds the seconds spent waiting to `waited`.
  [[nodiscard]] std::unique_lock<std::mutex> enter(double& waited);
  [[nodiscard]] std::unique_lock<std::mutex> enter();

 private:
  MpiThreadLevel level_;
  std::mutex mutex_;
};

}  // namespace frond
