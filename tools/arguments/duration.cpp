// SPDX-License-Identifier: BSD-3-Clause
// A number and a unit.
#include "tools/arguments/duration.hpp"

#include <fmt/core.h>

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

}  // namespace frond
