// SPDX-License-Identifier: BSD-3-Clause
// What a machine does a factorization with, measured: `frond calibrate` writes it, `frond simulate --machine` reads it.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "matrices/types.hpp"
#include "tools/calibration/rate_table.hpp"

namespace frond {

/// One core and one scalar type. Flops are multiplications or additions of that type.
struct CoreProfile {
  std::map<Method, RateTable> elimination;  ///< flops per second by the order of the front; cholesky, ldlt and lu
  double seconds_per_front = 0;             ///< whatever its size
  double entries_per_second = 0;            ///< moved by assembly
};

struct MachineProfile {
  std::string processor;
  std::string date;
  std::map<std::string, CoreProfile> cores;  ///< by the name of the scalar type
  double seconds_per_message = 0;            ///< of the loop that handles it
  std::optional<double> latency_seconds;     ///< between two processes
  std::optional<double> bytes_per_second;    ///< likewise
};

/// "float", "double", "complex float" or "complex double".
template <Scalar S>
[[nodiscard]] constexpr const char* scalar_name() {
  if constexpr (kIsComplex<S>) {
    return sizeof(S) == 8 ? "complex float" : "complex double";
  } else {
    return sizeof(S) == 4 ? "float" : "double";
  }
}

[[nodiscard]] nlohmann::ordered_json to_json(const MachineProfile& profile);

/// Throws an InputError that names the file, the key, and what to do.
[[nodiscard]] MachineProfile read_machine_profile(const std::string& path);

}  // namespace frond
