// SPDX-License-Identifier: BSD-3-Clause
// Analyses and factorizes in this process.
#pragma once

#include <memory>

#include "solver/course/place_parts.hpp"

namespace frond {

class CheckpointDirectory;

/// If `checkpoint` is not null, factorizations continue from this opened checkpoint.
[[nodiscard]] std::shared_ptr<const PlaceParts> local_place(const std::shared_ptr<CheckpointDirectory>& checkpoint = {});

}  // namespace frond
