// SPDX-License-Identifier: BSD-3-Clause
// Parses one decimal number of a text, independently of the locale.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "frond/types.hpp"

namespace frond {

enum class NumberStatus { ok, malformed, overflow, not_finite };

/// `end` is the first character after the number, whatever the status.
struct ParsedReal {
  double value = 0.0;
  const char* end = nullptr;
  NumberStatus status = NumberStatus::malformed;
  bool has_bare_exponent = false;  ///< 0.5-100 for 0.5e-100
};

/// Does what parse_real() does, without its fast path for short numbers.
[[nodiscard]] ParsedReal parse_any_real(const char* begin, const char* end);

/// Reads a real number at `begin`: an optional sign, digits with an optional point, an optional exponent after e, E, d or D, or,
/// after a point and digits, a bare signed exponent. Returns the nearest double; a number too small for one becomes zero, one too
/// large is an `overflow`, and a spelled-out infinity or NaN is `not_finite`.
///
/// A number of at most 15 digits without an exponent is m / 10^k with both exact, so that one division rounds it (Clinger 1990,
/// "How to read floating point numbers accurately").
[[nodiscard]] inline ParsedReal parse_real(const char* begin, const char* end) {
  constexpr std::array<double, 16> kPowers = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* next = begin;
  const bool is_negative = next != end && *next == '-';
  next += is_negative ? 1 : 0;
  std::uint64_t mantissa = 0;
  const char* const first = next;
  const char* point = nullptr;
  for (; next != end && next - first <= 15; ++next) {
    const auto digit = static_cast<unsigned char>(*next - '0');
    if (digit <= 9) {
      mantissa = 10 * mantissa + digit;
    } else if (*next == '.' && point == nullptr) {
      point = next;
    } else {
      break;
    }
  }
  const bool is_whole_word = next == end || *next == ' ' || *next == '\n' || *next == '\r' || *next == '\t';
  const std::ptrdiff_t num_digits = next - first - (point == nullptr ? 0 : 1);
  if (!is_whole_word || num_digits < 1 || num_digits > 15) {
    return parse_any_real(begin, end);
  }
  const double value = static_cast<double>(mantissa) / kPowers[point == nullptr ? 0 : static_cast<std::size_t>(next - point - 1)];
  return {is_negative ? -value : value, next, NumberStatus::ok, false};
}

/// Reads a whole token as a decimal integer with an optional sign; false if it is not one or does not fit in 64 bits.
[[nodiscard]] bool parse_integer(std::string_view token, Count& value);

}  // namespace frond
