// SPDX-License-Identifier: BSD-3-Clause
// Rounds and groups digits.
#include "tools/program/page/human_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace frond {
namespace {

struct ScaledValue {
  double value;
  std::string_view prefix;
};

// Returns the power of ten of a value rounded to three digits: 3 for 999.6.
int exponent_of(double value) {
  const std::string text = fmt::format("{:.2e}", value);
  return std::atoi(text.c_str() + text.find('e') + 1);
}

ScaledValue scaled(double value) {
  constexpr std::array<std::string_view, 7> kPrefixes = {"", "k", "M", "G", "T", "P", "E"};
  const int step = std::clamp(exponent_of(value) / 3, 0, static_cast<int>(kPrefixes.size()) - 1);
  return {value / std::pow(1000.0, step), kPrefixes[step]};
}

std::string with_unit(std::string number, std::string_view unit) {
  return unit.empty() ? number : number.append(kThinSpace).append(unit);
}

}  // namespace

std::string format_count(double count) {
  std::string text = fmt::format("{:.0f}", count);
  const std::size_t first_digit = text.front() == '-' ? 1 : 0;
  for (std::size_t position = text.size(); position > first_digit + 3;) {
    position -= 3;
    text.insert(position, kThinSpace);
  }
  return text;
}

std::string format_three_digits(double value) {
  if (value == 0) {
    return "0";
  }
  const int exponent = exponent_of(value);
  if (exponent < -4) {
    return fmt::format("{:.2e}", value);
  }
  return exponent >= 3 ? format_count(value) : fmt::format("{:.{}f}", value, 2 - exponent);
}

std::string format_scaled(double value, std::string_view unit) {
  const auto [number, prefix] = scaled(value);
  const bool is_small_whole = prefix.empty() && number == std::round(number);
  return with_unit(is_small_whole ? fmt::format("{:.0f}", number) : format_three_digits(number), fmt::format("{}{}", prefix, unit));
}

std::string format_tick(double value) {
  const auto [number, prefix] = scaled(value);
  return with_unit(fmt::format("{:.3g}", number), prefix);
}

std::string format_duration(double seconds) {
  if (seconds == 0 || seconds >= 0.9995) {
    return with_unit(format_three_digits(seconds), "s");
  }
  return seconds >= 0.9995e-3 ? with_unit(format_three_digits(1e3 * seconds), "ms")
                              : with_unit(format_three_digits(1e6 * seconds), "µs");
}

std::string format_factor(double factor) { return factor < 9.995 ? fmt::format("{:.2f}", factor) : format_three_digits(factor); }

}  // namespace frond
