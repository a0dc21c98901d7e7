// SPDX-License-Identifier: BSD-3-Clause
// The processors of the machine that this process may run on.
#pragma once

#include <span>
#include <vector>

namespace frond {

/// Numbers of the processors that the calling thread may use, increasing; at least one.
[[nodiscard]] std::vector<int> usable_processors();

/// Keeps all threads of this process, those of libraries and of times to come included, to these processors. False if the system
/// refuses.
bool keep_to_processors(std::span<const int> processors);

/// The part of `processors` for number `index` of `num_sharing` users, all parts as large as possible and equal.
[[nodiscard]] std::span<const int> share_of_processors(std::span<const int> processors, int num_sharing, int index);

}  // namespace frond
