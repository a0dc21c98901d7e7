// SPDX-License-Identifier: BSD-3-Clause
// Advises from simulations of a matrix how many processes to use, and how.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// Limits that a run must not exceed; 0: none.
struct AdviceLimits {
  Count bytes_per_rank = 0;
};

/// Twice as many ranks are worthwhile if they take at most this fraction of the time.
inline constexpr double kPayingRatio = 0.75;

/// Returns the best run of a sweep for each number of ranks: of the runs within the limits, and within 3 % of the fastest of them,
/// the one with the least memory. By increasing number of ranks; none where no run is within the limits.
[[nodiscard]] std::vector<std::size_t> best_runs(const nlohmann::ordered_json& sweep, const AdviceLimits& limits);

/// Returns the run of best_runs() with the most ranks that are worthwhile: from the least number of ranks on, as long as the next
/// one is, or would be together with the one after it. Nothing if no run is within the limits.
[[nodiscard]] std::optional<std::size_t> advised_run(const nlohmann::ordered_json& sweep, const AdviceLimits& limits);

/// True if more ranks than in the sweep may be worthwhile: one of its last two numbers of ranks is, or it has fewer than three.
[[nodiscard]] bool may_more_pay(const nlohmann::ordered_json& sweep, const AdviceLimits& limits);

/// Returns sentences: the advice with the command that follows it, the effect of fewer and more ranks, the influence of schedule
/// and mechanism; or why there is no advice.
[[nodiscard]] std::string advice_text(const nlohmann::ordered_json& sweep, const AdviceLimits& limits);

}  // namespace frond
