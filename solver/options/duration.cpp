// SPDX-License-Identifier: BSD-3-Clause
// Parses a number and a unit.
#include "solver/options/duration.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "frond/error.hpp"

namespace frond {

double parse_duration(std::string_view option, std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 9> kUnits = {
      {{"", 1}, {"s", 1}, {"sec", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"hours", 3600}, {"d", 86400}, {"days", 86400}}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) {
    unit.remove_prefix(1);
  }
  for (const auto& [name, seconds] : kUnits) {
    if (error == std::errc() && unit == name && std::isfinite(number) && number >= 0) {
      return number * seconds;
    }
  }
  throw UsageError(
      fmt::format("{}: '{}' is no time: write a number of seconds, or one and s, min, h or d, such as 10min", option, text));
}

std::string format_long_duration(double seconds) {
  if (seconds < 1) {
    return fmt::format("{:.3g} ms", 1000 * seconds);
  }
  if (seconds < 120) {
    return fmt::format("{:.3g} s", seconds);
  }
  return seconds < 7200 ? fmt::format("{:.3g} min", seconds / 60) : fmt::format("{:.3g} h", seconds / 3600);
}

std::string whole_duration(double seconds) {
  return seconds < 600 ? fmt::format("{:.0f}s", std::max(1.0, seconds)) : fmt::format("{:.0f}min", seconds / 60);
}

}  // namespace frond
