// SPDX-License-Identifier: BSD-3-Clause
// What every rank or thread does at every time (Gantt chart), below how many are at work.
#pragma once

#include <string>

#include "tools/program/page/picture.hpp"

namespace frond {

/// A row for each, coloured by role; idle time has no colour. A timeline of few marks has an element with a title for each;
/// one of many has, for each rank and role, one path.
[[nodiscard]] std::string timeline_chart(const Timeline& timeline, double seconds, const TimelineRows& rows = {});

/// What the colours mean, with the share of the ranks' time in each role and idle.
[[nodiscard]] std::string timeline_legend(const Timeline& timeline, double seconds);

}  // namespace frond
