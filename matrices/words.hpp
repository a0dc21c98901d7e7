// SPDX-License-Identifier: BSD-3-Clause
// Names the values of an enumeration.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "frond/error.hpp"

namespace frond {

/// The values of an enumeration by their names, in its order.
template <class Enum, std::size_t Size>
struct Words {
  std::string_view what;  ///< "load exchange"
  std::array<std::string_view, Size> names;

  /// Empty for any other number, as a damaged file may hold it.
  [[nodiscard]] constexpr std::string_view name(Enum value) const {
    const auto number = static_cast<std::size_t>(value);
    return number < Size ? names[number] : std::string_view();
  }
  [[nodiscard]] std::vector<std::string> all() const { return {names.begin(), names.end()}; }

  /// Throws UsageError, which lists the names.
  [[nodiscard]] Enum parse(std::string_view text) const {
    std::string known;
    for (std::size_t k = 0; k < Size; ++k) {
      if (names[k] == text) {
        return static_cast<Enum>(k);
      }
      known.append(k == 0 ? "" : ", ").append(names[k]);
    }
    throw UsageError("there is no " + std::string(what) + " '" + std::string(text) + "'; choose one of " + known);
  }
};

}  // namespace frond
