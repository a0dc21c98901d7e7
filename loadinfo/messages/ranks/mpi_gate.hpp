// SPDX-License-Identifier: BSD-3-Clause
// Which threads of a process may call MPI, and the lock by which they take turns where they have to.
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

/// Passed to everything that calls MPI in one process. Under MpiThreadLevel::serialized whoever is inside keeps the others out, and
/// may call nothing that enters again, such as a channel; under the other levels there is nothing to guard.
class MpiGate {
 public:
  explicit MpiGate(MpiThreadLevel level) : level_(level) {}

  [[nodiscard]] MpiThreadLevel level() const { return level_; }
  [[nodiscard]] bool threads_may_call() const { return level_ >= MpiThreadLevel::serialized; }

  /// Inside until the result is destroyed. Adds the seconds that this took to `waited`.
  [[nodiscard]] std::unique_lock<std::mutex> enter(double& waited);
  [[nodiscard]] std::unique_lock<std::mutex> enter();

 private:
  MpiThreadLevel level_;
  std::mutex mutex_;
};

}  // namespace frond
