// SPDX-License-Identifier: BSD-3-Clause
// Parses and formats units of bytes.
#include "solver/options/byte_size.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "frond/error.hpp"

namespace frond {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};

constexpr std::array<Unit, 9> kUnits = {{{"", 1},
                                         {"k", 1e3},
                                         {"m", 1e6},
                                         {"g", 1e9},
                                         {"t", 1e12},
                                         {"ki", 1024.0},
                                         {"mi", 1024.0 * 1024},
                                         {"gi", 1024.0 * 1024 * 1024},
                                         {"ti", 1024.0 * 1024 * 1024 * 1024}}};

// The unit in lower case, without blanks and without its B.
std::string normalized_unit(std::string_view text) {
  std::string unit;
  for (const char c : text) {
    if (c != ' ') {
      unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  if (!unit.empty() && unit.back() == 'b') {
    unit.pop_back();
  }
  return unit;
}

}  // namespace

Count parse_byte_size(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit_name = normalized_unit(text.substr(static_cast<std::size_t>(end - text.data())));
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& candidate) { return candidate.name == unit_name; });
  const double bytes = unit == kUnits.end() ? 0 : number * unit->bytes;
  if (error != std::errc() || !(bytes >= 1) || bytes > 9e18) {
    throw UsageError(fmt::format("'{}' is no size: write a positive number and a unit, such as 1.5GB or 800MiB", text));
  }
  return static_cast<Count>(std::llround(bytes));
}

std::string format_byte_size(Count bytes) {
  const auto size = static_cast<double>(bytes);
  if (size < 999.5) {
    return fmt::format("{} bytes", bytes);
  }
  if (size < 999.5e3) {
    return fmt::format("{:.0f} kB", size / 1e3);
  }
  return size < 999.5e6 ? fmt::format("{:.1f} MB", size / 1e6) : fmt::format("{:.2f} GB", size / 1e9);
}

}  // namespace frond
