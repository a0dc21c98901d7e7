// SPDX-License-Identifier: BSD-3-Clause
// Seconds that a rank's core takes: measured on a machine, or by a plain model.
#pragma once

#include <map>
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

/// Rates of whole fronts, and of parts of others.
struct MeasuredRates {
  EliminationRates fronts;
  PartRates parts;
};

using EliminationRate = std::variant<HockneyRate, MeasuredRates>;

/// Of one method and one scalar type.
struct CostModel {
  EliminationRate elimination;
  RateTable assembly = RateTable({{1, 0.5e9}});  ///< entries of a front or of a stream of rows, by the order of the front
  double seconds_per_front = 1e-6;               ///< or step of a part of one, whatever its size
  double seconds_per_original_entry = 0;         ///< of the matrix
  double seconds_per_fresh_byte = 0;             ///< of memory that is used for the first time
  double seconds_per_message = 1e-6;             ///< of the main loop, for a message that it handles
  double seconds_per_message_byte = 0;           ///< of the main loop, for what is sent and what has come
  std::optional<double> wake_seconds;            ///< that its sleeps last longer than they should; none: it never sleeps

  [[nodiscard]] double largest_rate() const;  ///< flops per second on the fronts that suit the core best
};

[[nodiscard]] GhostCosts ghost_costs(const CostModel& model);

/// What the command line says of cores.
struct CostArguments {
  std::string machine = {};                     ///< file; empty: none
  std::optional<double> flops_per_second = {};  ///< with a machine: all of its rates of elimination are scaled, the largest to this
  std::optional<double> half_rate_order = {};   ///< without a machine
};

/// The costs that the arguments mean for a method and a scalar type, given what the file of `arguments.machine` holds if there is
/// one. Complex and single precision scalars that the profile does not know are derived from double: rates per flop of 1/4 for
/// complex numbers (a multiplication and an addition are 8 real flops instead of 2), twice as high in single precision; entries
/// per second as their bytes.
[[nodiscard]] CostModel cost_model(const CostArguments& arguments, const std::optional<MachineProfile>& machine, Method method,
                                   const std::string& scalar);

}  // namespace frond
