// SPDX-License-Identifier: BSD-3-Clause
// A sweep of simulations for people with a browser.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace frond {

/// One page of HTML that needs nothing but itself: the best configurations, curves of time, memory and load messages over numbers
/// of ranks, all figures in a table that sorts itself, and of one run what each rank did when, and the assembly tree. `sweep` is
/// the record that `frond simulate --sweep --json` writes (docs/simulation.md).
[[nodiscard]] std::string simulation_page(const nlohmann::ordered_json& sweep);

}  // namespace frond
