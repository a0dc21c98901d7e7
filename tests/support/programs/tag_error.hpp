// SPDX-License-Identifier: BSD-3-Clause
// Checks whether a page is well-formed.
#pragma once

#include <string>

namespace frond::testing {

/// Returns what is wrong with the tags of a page in which every element must be closed; empty if nothing is.
[[nodiscard]] std::string tag_error(const std::string& page);

/// Counts the occurrences of `part`.
[[nodiscard]] int count_of(const std::string& text, const std::string& part);

}  // namespace frond::testing
