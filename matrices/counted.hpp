// SPDX-License-Identifier: BSD-3-Clause
// Prints nouns that agree with their numbers.
#pragma once

#include <string>

#include "frond/types.hpp"

namespace frond {

/// Returns "1 front", "2 fronts". `plural` is the whole word where the plural is not formed by an s.
[[nodiscard]] inline std::string counted(Count number, const std::string& noun, const std::string& plural = "") {
  const std::string many = plural.empty() ? noun + "s" : plural;
  return std::to_string(number) + ' ' + (number == 1 ? noun : many);
}

/// "1 entry", "2 entries"
[[nodiscard]] inline std::string counted_entries(Count number) { return counted(number, "entry", "entries"); }

}  // namespace frond
