// SPDX-License-Identifier: BSD-3-Clause
// Limits of Linux control groups (cgroups), of both versions.
#pragma once

#include <filesystem>
#include <vector>

#include "factorization/machine/memory_bounds.hpp"

namespace frond {

/// A bound for every group that limits this process's memory: its own group, as proc/self/cgroup names it, and all groups above
/// that can be seen where proc/self/mountinfo says that they are mounted. Of a group the lower of its limits counts, minus
/// what is used of it; file pages that nobody has touched for a while do not count as used, since the kernel drops them first.
[[nodiscard]] std::vector<MemoryBound> control_group_bounds(const std::filesystem::path& root);

}  // namespace frond
