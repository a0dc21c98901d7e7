// SPDX-License-Identifier: BSD-3-Clause
// Nouns that agree with their numbers.
#pragma once

#include <string>

#include "frond/types.hpp"

namespace frond {

/// "1 front", "2 fronts"; for other plurals than those by an s the whole word.
[[nodiscard]] inline std::string counted(Count number, const std::string& noun, const std::string& plural = "") {
  const std::string many = plural.empty() ? noun + "s" : plural;
  return std::to_string(number) + ' ' + (number == 1 ? noun : many);
}

/// "1 entry", "2 entries"
[[nodiscard]] inline std::string counted_entries(Count number) { return counted(number, "entry", "entries"); }

}  // namespace frond
