// SPDX-License-Identifier: BSD-3-Clause
// What every rank does at every time (Gantt chart), below how many ranks are at work.
#pragma once

#include <string>

#include "tools/simulation/page/sweep.hpp"

namespace frond {

/// A row for each rank, coloured by role; idle time has no colour. A timeline of few marks has an element with a title for each;
/// one of many has, for each rank and role, one path.
[[nodiscard]] std::string timeline_chart(const Timeline& timeline, double seconds);

/// What the colours mean, with the share of the ranks' time in each role and idle.
[[nodiscard]] std::string timeline_legend(const Timeline& timeline, double seconds);

}  // namespace frond
