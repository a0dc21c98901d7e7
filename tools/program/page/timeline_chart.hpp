// SPDX-License-Identifier: BSD-3-Clause
// Draws what every rank or thread does at every time (Gantt chart), below the number of those at work.
#pragma once

#include <string>

#include "tools/program/page/picture.hpp"

namespace frond {

/// Returns a row for each, coloured by role; idle time has no colour. A timeline with few marks has an element with a title for
/// each; one with many has one path for each rank and role.
[[nodiscard]] std::string timeline_chart(const Timeline& timeline, double seconds, const TimelineRows& rows = {});

/// Explains the colours, with the share of the ranks' time in each role and idle.
[[nodiscard]] std::string timeline_legend(const Timeline& timeline, double seconds);

}  // namespace frond
