// SPDX-License-Identifier: BSD-3-Clause
// How many processes to take, and how: what simulations of a matrix advise.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// What a run must not exceed; 0: nothing.
struct AdviceLimits {
  Count bytes_per_rank = 0;
};

/// Twice as many ranks pay if they take at most this part of the time.
inline constexpr double kPayingRatio = 0.75;

/// Of a sweep's runs with each number of ranks the best: the fastest of those within the limits and, of those that are within 3 %
/// of it, the one with the least memory. By increasing number of ranks; none where no run is within the limits.
[[nodiscard]] std::vector<std::size_t> best_runs(const nlohmann::ordered_json& sweep, const AdviceLimits& limits);

/// The run of best_runs() with the most ranks that pay: from the least number of ranks on, as long as the next one pays, or would
/// with the one behind it. Nothing if there is none within the limits.
[[nodiscard]] std::optional<std::size_t> advised_run(const nlohmann::ordered_json& sweep, const AdviceLimits& limits);

/// True if ranks beyond those of the sweep may pay: one of its last two numbers of ranks does, or it has less than three.
[[nodiscard]] bool may_more_pay(const nlohmann::ordered_json& sweep, const AdviceLimits& limits);

/// Sentences: the advice with the command that follows it, what fewer and more ranks would bring, what the choice of schedule and
/// mechanism matters; or why there is no advice.
[[nodiscard]] std::string advice_text(const nlohmann::ordered_json& sweep, const AdviceLimits& limits);

}  // namespace frond
