// SPDX-License-Identifier: BSD-3-Clause
// What failures cost, with checkpoints and without.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/program/calibration/disk_rates.hpp"

namespace frond {

/// The time from one checkpoint to the next that costs least if each takes so long and failures come at random, so long after one
/// another on average: Young 1974 ("A first order approximation to the optimum checkpoint interval") with the higher orders of Daly
/// 2006 ("A higher order estimate of the optimum checkpoint interval for restart dumps").
[[nodiscard]] double checkpoint_interval(double seconds_per_checkpoint, double mean_seconds_between_failures);

/// The time that work takes on average which fails at random, where a failure throws it back by `seconds_lost` on average, and
/// going on takes `seconds_to_resume`: Daly 2006, for intervals of twice what is lost.
[[nodiscard]] double expected_seconds(double seconds, double seconds_lost, double seconds_to_resume,
                                      double mean_seconds_between_failures);

/// The same for work that begins anew after a failure.
[[nodiscard]] double expected_seconds_anew(double seconds, double mean_seconds_between_failures);

/// For a run of a sweep that was simulated without checkpoints, and with them: what simulation_json() says of both.
[[nodiscard]] nlohmann::ordered_json failure_json(const nlohmann::ordered_json& without, const nlohmann::ordered_json& with,
                                                  const DiskRates& disk, double mean_seconds_between_failures);

/// Sentences.
[[nodiscard]] std::string failure_text(const nlohmann::ordered_json& failures);

}  // namespace frond
