// SPDX-License-Identifier: BSD-3-Clause
// Finds and sets the processors of the machine that this process may run on.
#pragma once

#include <span>
#include <vector>

namespace frond {

/// Returns the numbers of the processors that the calling thread may use, increasing; at least one.
[[nodiscard]] std::vector<int> usable_processors();

/// Binds all threads of this process, including those of libraries and those started later, to these processors. False if the
/// system refuses.
bool keep_to_processors(std::span<const int> processors);

/// Returns the part of `processors` for user `index` of `num_sharing`; all parts are equal and as large as possible.
[[nodiscard]] std::span<const int> share_of_processors(std::span<const int> processors, int num_sharing, int index);

}  // namespace frond
