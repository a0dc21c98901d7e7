// SPDX-License-Identifier: BSD-3-Clause
// What a machine does a factorization with, measured: `frond calibrate` writes it, `frond simulate --machine` reads it.
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
  RateTable half_summed;  ///< of fronts half of whose variables are fully summed
  RateTable all_summed;   ///< of fronts all of whose variables are

  /// Fronts with fewer fully summed variables do about as well as those with half of them; more lie between both tables.
  [[nodiscard]] double rate(double order, double num_pivots) const;
  [[nodiscard]] double largest_rate() const;
  [[nodiscard]] EliminationRates times(double factor) const;
};

/// Flops per second of the parts of row-distributed fronts.
struct PartRates {
  RateTable master;  ///< by the number of fully summed variables
  RateTable slave;   ///< by the number of its rows

  [[nodiscard]] PartRates times(double factor) const { return {master.times(factor), slave.times(factor)}; }
};

/// One core, one scalar type, one method.
struct CoreProfile {
  EliminationRates elimination;
  PartRates parts;
  RateTable assembly;                      ///< entries of a front per second, from contribution blocks, by its order
  double seconds_per_front = 0;            ///< whatever its size
  double original_entries_per_second = 0;  ///< of the matrix, that are brought into their fronts
};

struct MachineProfile {
  std::string processor;
  std::string date;
  std::map<std::string, std::map<Method, CoreProfile>> cores;  ///< by the name of the scalar type; cholesky, ldlt and lu
  double fresh_bytes_per_second = 0;                           ///< of memory that is used for the first time
  double copied_bytes_per_second = 0;                          ///< into messages
  double wake_seconds = 0;                                     ///< that a sleep of the main loop lasts longer than it should
  // Between two processes:
  std::optional<double> seconds_per_message;  ///< that a core is busy with a short one
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

/// Throws an InputError that names the file, the key, and what to do.
[[nodiscard]] MachineProfile read_machine_profile(const std::string& path);

}  // namespace frond
