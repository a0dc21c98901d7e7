// SPDX-License-Identifier: BSD-3-Clause
// Names the settings that affect the speed of a peer with several threads: its OpenBLAS and how its threads wait.
#pragma once

#include <string>
#include <vector>

namespace frond {

/// How the processes of a peer run.
struct ThreadSetting {
  std::string blas_folder;      ///< of another OpenBLAS build than the one linked with the peer; empty: that one
  bool waits_actively = false;  ///< OpenMP threads spin while they wait

  [[nodiscard]] std::string label() const;  ///< "", ", spinning", ", openmp BLAS", ", openmp BLAS, spinning"
  bool operator==(const ThreadSetting&) const = default;
};

/// Returns every setting of a peer with `num_threads` threads: only the default for one thread, otherwise each build of OpenBLAS
/// with threads that Debian installs next to the one in use, with both ways of waiting.
[[nodiscard]] std::vector<ThreadSetting> thread_settings(int num_threads);

}  // namespace frond
