// SPDX-License-Identifier: BSD-3-Clause
// Parses one decimal number of a text with std::from_chars, and handles what that leaves out.
#include "matrices/files/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace frond {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// For a well-formed number that no double can hold: true if its magnitude is too large, false if it is too small. The number is
/// 0.d1d2... * 10^p with d1 != 0; so far from 1, only the sign of p matters.
bool is_too_large(std::string_view number) {
  const std::size_t mantissa_end = std::min(number.find_first_of("eE"), number.size());
  Count position = 0;
  bool seen_point = false;
  bool seen_nonzero = false;
  for (const char c : number.substr(0, mantissa_end)) {
    seen_point = seen_point || c == '.';
    seen_nonzero = seen_nonzero || (is_digit(c) && c != '0');
    if (is_digit(c)) {
      position += seen_nonzero && !seen_point ? 1 : (!seen_nonzero && seen_point ? -1 : 0);
    }
  }
  if (mantissa_end == number.size()) {
    return position > 0;
  }
  const bool negative_exponent = number.substr(mantissa_end + 1).starts_with('-');
  Count exponent = 0;
  for (const char c : number.substr(mantissa_end + 1)) {
    if (is_digit(c)) {
      exponent = std::min<Count>(10 * exponent + (c - '0'), Count{1} << 40);
    }
  }
  return position + (negative_exponent ? -exponent : exponent) > 0;
}

/// Parses the number at `begin` whose exponent at `exponent` is Fortran's: a letter d, or a bare sign. Reads it again with an e
/// instead.
ParsedReal parse_fortran_exponent(const char* begin, const char* exponent, const char* end) {
  const bool has_letter = *exponent == 'd' || *exponent == 'D';
  const char* const sign = exponent + (has_letter ? 1 : 0);
  const char* last = sign;
  if (last != end && (*last == '+' || *last == '-')) {
    ++last;
  }
  while (last != end && is_digit(*last)) {
    ++last;
  }
  const std::string number = std::string(begin, exponent) + 'e' + std::string(sign, last);
  ParsedReal parsed = parse_any_real(number.data(), number.data() + number.size());
  parsed.end = begin + (parsed.end - number.data()) - (has_letter ? 0 : 1);
  parsed.has_bare_exponent = !has_letter;
  return parsed;
}

/// True if an exponent begins where the number seems to end, at `last`: a d after a digit or a point, or a sign before a digit
/// after a mantissa with a point.
bool has_fortran_exponent(const char* begin, const char* last, const char* end) {
  if (last == end || last == begin || !(is_digit(last[-1]) || last[-1] == '.')) {
    return false;
  }
  const std::string_view mantissa(begin, static_cast<std::size_t>(last - begin));
  const bool is_bare = (*last == '+' || *last == '-') && end - last > 1 && is_digit(last[1]) &&
                       mantissa.find('.') != std::string_view::npos && mantissa.find_first_of("eE") == std::string_view::npos;
  return *last == 'd' || *last == 'D' || is_bare;
}

}  // namespace

ParsedReal parse_any_real(const char* begin, const char* end) {
  const bool explicit_plus = begin != end && *begin == '+' && end - begin > 1 && begin[1] != '-';
  const char* const first = explicit_plus ? begin + 1 : begin;
  ParsedReal parsed;
  const auto [last, error] = std::from_chars(first, end, parsed.value);
  parsed.end = last;
  if (error == std::errc::invalid_argument) {
    return parsed;
  }
  if (has_fortran_exponent(first, last, end)) {
    return parse_fortran_exponent(begin, last, end);
  }
  if (error == std::errc::result_out_of_range) {
    const bool overflow = is_too_large({first, last});
    parsed.value = overflow ? HUGE_VAL : 0.0;
    parsed.status = overflow ? NumberStatus::overflow : NumberStatus::ok;
  } else {
    parsed.status = std::isfinite(parsed.value) ? NumberStatus::ok : NumberStatus::not_finite;
  }
  return parsed;
}

bool parse_integer(std::string_view token, Count& value) {
  if (token.starts_with('+') && !token.starts_with("+-")) {
    token.remove_prefix(1);
  }
  const auto [last, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  return error == std::errc() && last == token.data() + token.size();
}

}  // namespace frond
