// SPDX-License-Identifier: BSD-3-Clause
// Gathers what the processes of a run logged.
#pragma once

#include <vector>

#include "solver/course/team.hpp"
#include "tools/program/records/run_picture.hpp"

namespace frond {

/// Returns the logs of all processes on the leading one, in seconds since `origin` of its steady_seconds(); nothing elsewhere.
/// Clocks are compared when processes leave a barrier.
[[nodiscard]] std::vector<RankLog> gathered_logs(const Team& team, const WorkLog& log, double origin);

}  // namespace frond
