// SPDX-License-Identifier: BSD-3-Clause
// Waits at the gate, and reads the clock only if there is a wait.
#include "loadinfo/messages/ranks/mpi_gate.hpp"

#include <chrono>

namespace frond {

std::unique_lock<std::mutex> MpiGate::enter() {
  double waited = 0;
  return enter(waited);
}

std::unique_lock<std::mutex> MpiGate::enter(double& waited) {
  if (level_ != MpiThreadLevel::serialized) {
    return {};
  }
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) {
    const auto start = std::chrono::steady_clock::now();
    lock.lock();
    waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return lock;
}

}  // namespace frond
