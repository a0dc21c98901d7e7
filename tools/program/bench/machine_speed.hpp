// SPDX-License-Identifier: BSD-3-Clause
// What the machine can do at best: dense matrix products and memory traffic.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace frond {

struct MachineSpeed {
  int num_threads = 1;
  double flop_rate = 0;  ///< flops per second of as many products of matrices of order 2000 side by side
  double bandwidth = 0;  ///< bytes per second that a = b + s c reads and writes, without what caches read to be written to
  std::string blas;      ///< version and build of OpenBLAS, and the kernels it uses
};

/// Takes a second or two. Calls of OpenBLAS run on the calling thread from then on.
[[nodiscard]] MachineSpeed measure_machine(int num_threads);

[[nodiscard]] nlohmann::ordered_json to_json(const MachineSpeed& speed);
[[nodiscard]] MachineSpeed machine_speed_from(const nlohmann::json& json);

}  // namespace frond
