// SPDX-License-Identifier: BSD-3-Clause
// Looks up figures by the names that `frond solve --json` writes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "interfaces/c/figure_sources.hpp"

namespace frond {

using Figure = std::variant<double, std::int64_t, std::string, std::vector<std::int64_t>, std::vector<double>>;

struct FigureInfo {
  const char* name;
  const char* type;  ///< "real", "integer", "text", "integers" or "reals"
  const char* meaning;
};

/// Counted from 0; null after the last one.
[[nodiscard]] const FigureInfo* figure_info(std::size_t number);
[[nodiscard]] const FigureInfo* figure_info(std::string_view name);

/// Throws UsageError if there is no such figure, or it is not known yet, and says what makes it known.
[[nodiscard]] Figure figure(const FigureSources& sources, std::string_view name);

}  // namespace frond
