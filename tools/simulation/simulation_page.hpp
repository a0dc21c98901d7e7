// SPDX-License-Identifier: BSD-3-Clause
// Shows a sweep of simulations in a browser.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/simulation/page/sweep.hpp"

namespace frond {

/// Returns one self-contained HTML page: the best configurations, curves of time, memory and load messages over numbers of ranks,
/// all figures in a sortable table, and for one run the timeline of each rank and the assembly tree. `sweep` is the record that
/// `frond simulate --sweep --json` writes (docs/simulation.md).
[[nodiscard]] std::string simulation_page(const nlohmann::ordered_json& sweep, ShownRun shown = {});

}  // namespace frond
