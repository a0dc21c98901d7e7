// SPDX-License-Identifier: BSD-3-Clause
// Predicts the seconds that a rank's core takes, from measurements of a machine or a plain model.
#pragma once

#include <optional>
#include <string>

#include "factorization/ghosts/ghost_fronts.hpp"
#include "frond/types.hpp"
#include "tools/program/calibration/machine_profile.hpp"

namespace frond {

/// The costs of one method with one scalar type.
struct CostModel {
  GhostCosts of_fronts;
  double largest_rate = 0;              ///< flops per second on the fronts best suited to the core
  double seconds_per_message = 1e-6;    ///< of the main loop, per message handled
  double seconds_per_message_byte = 0;  ///< of the main loop, for bytes sent and received
  std::optional<double> wake_seconds;   ///< excess of each sleep; none: it never sleeps
};

/// The command line options about cores.
struct CostArguments {
  std::string machine = {};                     ///< file; empty: none
  std::optional<double> flops_per_second = {};  ///< with a machine: scales all of its elimination rates so that the largest is this
  std::optional<double> half_rate_order = {};   ///< without a machine
};

/// Returns the costs that the arguments define for a method and a scalar type, given the content of the file `arguments.machine`,
/// if any. Without one, a core reaches half of its rate F on fronts of some order M (Hockney, Jesshope 1988, "Parallel Computers
/// 2"): f flops on a front of order m take f / F (1 + M / m) seconds. Complex and single precision scalars missing in the profile
/// are derived from double: rates per flop of 1/4 for complex numbers (a multiplication and an addition are 8 real flops instead of
/// 2), twice as high in single precision; entries per second in proportion to their bytes.
[[nodiscard]] CostModel cost_model(const CostArguments& arguments, const std::optional<MachineProfile>& machine, Method method,
                                   const std::string& scalar);

}  // namespace frond
