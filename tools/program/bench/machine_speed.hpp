// SPDX-License-Identifier: BSD-3-Clause
// Measures the machine's best speeds: dense matrix products and memory traffic.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace frond {

struct MachineSpeed {
  int num_threads = 1;
  double flop_rate = 0;  ///< flops per second of one product of matrices of order 2000 per thread, side by side
  double bandwidth = 0;  ///< bytes per second that a = b + s c reads and writes, without write-allocate traffic
  std::string blas;      ///< version and build of OpenBLAS, and its kernels
};

/// Takes a second or two. Afterwards, calls of OpenBLAS run on the calling thread.
[[nodiscard]] MachineSpeed measure_machine(int num_threads);

[[nodiscard]] nlohmann::ordered_json to_json(const MachineSpeed& speed);
[[nodiscard]] MachineSpeed machine_speed_from(const nlohmann::json& json);

}  // namespace frond
