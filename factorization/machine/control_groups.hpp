// SPDX-License-Identifier: BSD-3-Clause
// Reads limits of Linux control groups (cgroups), of both versions.
#pragma once

#include <filesystem>
#include <vector>

#include "factorization/machine/memory_bounds.hpp"

namespace frond {

/// Returns a bound for every group that limits this process's memory: its own group, as proc/self/cgroup names it, and all groups
/// above it that are visible where proc/self/mountinfo says that they are mounted. For each group the lower of its limits counts,
/// minus its usage; file pages that have not been touched for a while do not count as used, since the kernel drops them first.
[[nodiscard]] std::vector<MemoryBound> control_group_bounds(const std::filesystem::path& root);

}  // namespace frond
