// SPDX-License-Identifier: BSD-3-Clause
// Predicts the seconds that a rank's core takes, from measurements of a machine or a plain model.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "factorization/ghosts/ghost_fronts.hpp"
#include "frond/types.hpp"
#include "tools/program/calibration/machine_profile.hpp"

namespace frond {

/// A core that reaches half of its rate on fronts of some order (Hockney, Jesshope 1988, "Parallel Computers 2"): f flops on a
/// front of order m take f / F (1 + M / m) seconds.
struct HockneyRate {
  double flops_per_second = 5e9;  ///< F: on large fronts, of the scalar type
  double half_rate_order = 60;    ///< M

  [[nodiscard]] double rate(double order) const { return flops_per_second / (1 + half_rate_order / order); }
  [[nodiscard]] double largest_rate() const { return flops_per_second; }
};

/// Rates of whole fronts and of parts of fronts.
struct MeasuredRates {
  EliminationRates fronts;
  PartRates parts;
};

using EliminationRate = std::variant<HockneyRate, MeasuredRates>;

/// The costs of one method with one scalar type.
struct CostModel {
  EliminationRate elimination;
  RateTable assembly = RateTable({{1, 0.5e9}});  ///< entries of a front or of a stream of rows, by the order of the front
  double seconds_per_front = 1e-6;               ///< or per step of a part of one, independent of its size
  double seconds_per_original_entry = 0;         ///< of the matrix
  double seconds_per_fresh_byte = 0;             ///< of memory used for the first time
  double seconds_per_message = 1e-6;             ///< of the main loop, per message handled
  double seconds_per_message_byte = 0;           ///< of the main loop, for bytes sent and received
  std::optional<double> wake_seconds;            ///< excess of each sleep; none: it never sleeps

  [[nodiscard]] double largest_rate() const;  ///< flops per second on the fronts best suited to the core
};

[[nodiscard]] GhostCosts ghost_costs(const CostModel& model);

/// The command line options about cores.
struct CostArguments {
  std::string machine = {};                     ///< file; empty: none
  std::optional<double> flops_per_second = {};  ///< with a machine: scales all of its elimination rates so that the largest is this
  std::optional<double> half_rate_order = {};   ///< without a machine
};

/// Returns the costs that the arguments define for a method and a scalar type, given the content of the file `arguments.machine`,
/// if any. Complex and single precision scalars missing in the profile are derived from double: rates per flop of 1/4 for complex
/// numbers (a multiplication and an addition are 8 real flops instead of 2), twice as high in single precision; entries per second
/// in proportion to their bytes.
[[nodiscard]] CostModel cost_model(const CostArguments& arguments, const std::optional<MachineProfile>& machine, Method method,
                                   const std::string& scalar);

}  // namespace frond
