// SPDX-License-Identifier: BSD-3-Clause
// Measured speeds of a machine for a factorization: `frond calibrate` writes them, `frond simulate --machine` reads them.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "frond/types.hpp"
#include "tools/program/calibration/rate_table.hpp"

namespace frond {

/// Flops per second of eliminating a front, by its order. Flops are multiplications or additions of the scalar type.
struct EliminationRates {
  RateTable half_summed;  ///< half of the variables are fully summed
  RateTable all_summed;   ///< all variables are fully summed

  /// Fronts with fewer than half of their variables fully summed have about the rate of half; above half it lies between both
  /// tables.
  [[nodiscard]] double rate(double order, double num_pivots) const;
  [[nodiscard]] double largest_rate() const;
  [[nodiscard]] EliminationRates times(double factor) const;
};

/// Flops per second of the parts of row-distributed fronts.
struct PartRates {
  RateTable master;  ///< by the number of fully summed variables
  RateTable slave;   ///< by the number of the slave's rows

  [[nodiscard]] PartRates times(double factor) const { return {master.times(factor), slave.times(factor)}; }
};

/// One core, one scalar type, one method.
struct CoreProfile {
  EliminationRates elimination;
  PartRates parts;
  RateTable assembly;                      ///< entries of a front per second, from contribution blocks, by its order
  double seconds_per_front = 0;            ///< independent of its size
  double original_entries_per_second = 0;  ///< of the matrix, assembled into their fronts
};

struct MachineProfile {
  std::string processor;
  std::string date;
  std::map<std::string, std::map<Method, CoreProfile>> cores;  ///< by the name of the scalar type; cholesky, ldlt and lu
  double fresh_bytes_per_second = 0;                           ///< for memory used for the first time
  double copied_bytes_per_second = 0;                          ///< for copies into messages
  double wake_seconds = 0;                                     ///< by which a sleep of the main loop is too long
  // Between two processes:
  std::optional<double> seconds_per_message;  ///< core time of a short message
  std::optional<double> latency_seconds;
  std::optional<double> bytes_per_second;
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

/// Throws an InputError that names the file, the key, and the remedy.
[[nodiscard]] MachineProfile read_machine_profile(const std::string& path);

}  // namespace frond
