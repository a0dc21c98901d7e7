// SPDX-License-Identifier: BSD-3-Clause
// Computes what failures cost, with checkpoints and without.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/program/calibration/disk_rates.hpp"

namespace frond {

/// Returns the cheapest time between checkpoints if each takes `seconds_per_checkpoint` and failures come at random with the given
/// mean time between them: Young 1974 ("A first order approximation to the optimum checkpoint interval") with the higher orders of
/// Daly 2006 ("A higher order estimate of the optimum checkpoint interval for restart dumps").
[[nodiscard]] double checkpoint_interval(double seconds_per_checkpoint, double mean_seconds_between_failures);

/// Returns the mean time of work that fails at random if a failure throws it back by `seconds_lost` on average and resuming takes
/// `seconds_to_resume`: Daly 2006, for intervals of twice the loss.
[[nodiscard]] double expected_seconds(double seconds, double seconds_lost, double seconds_to_resume,
                                      double mean_seconds_between_failures);

/// Returns the same for work that starts over after a failure.
[[nodiscard]] double expected_seconds_anew(double seconds, double mean_seconds_between_failures);

/// Returns the cost of failures for one run of a sweep; `without` and `with` are its simulation_json() without and with
/// checkpoints.
[[nodiscard]] nlohmann::ordered_json failure_json(const nlohmann::ordered_json& without, const nlohmann::ordered_json& with,
                                                  const DiskRates& disk, double mean_seconds_between_failures);

/// Returns the advice in sentences.
[[nodiscard]] std::string failure_text(const nlohmann::ordered_json& failures);

}  // namespace frond
