// SPDX-License-Identifier: BSD-3-Clause
// Parses Fortran formats and the numbers they describe.
#include "matrices/files/fortran_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace frond {

namespace {

constexpr std::size_t kWidest = 1000;  // characters: no number needs more, and no product overflows

/// Walks through a format without blanks.
class FormatCursor {
 public:
  explicit FormatCursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  bool skip(char c) {
    const bool found = rest_.starts_with(c);
    rest_.remove_prefix(found ? 1 : 0);
    return found;
  }
  char take_letter() {
    if (rest_.empty()) {
      return '\0';
    }
    const char letter = rest_.front();
    rest_.remove_prefix(1);
    return letter;
  }
  /// Takes a number below `bound`; returns nothing if there is none.
  std::optional<std::size_t> take_number(std::size_t bound) {
    std::size_t value = 0;
    const auto [last, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value > bound) {
      return std::nullopt;
    }
    rest_.remove_prefix(static_cast<std::size_t>(last - rest_.data()));
    return value;
  }

 private:
  std::string_view rest_;
};

std::string upper_without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ') {
      result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return result;
}

/// Parses the field after the repeat count: letter, width, decimals, width of the exponent (which reading does not need).
bool parse_field(FormatCursor& cursor, FortranFormat& format) {
  const char letter = cursor.take_letter();
  format.is_integer = letter == 'I';
  if (std::string_view("IEDFG").find(letter) == std::string_view::npos) {
    return false;
  }
  const std::optional<std::size_t> width = cursor.take_number(kWidest);
  if (!width || *width == 0) {
    return false;
  }
  format.width = *width;
  if (cursor.skip('.')) {
    const std::optional<std::size_t> decimals = cursor.take_number(*width);
    if (!decimals) {
      return false;
    }
    format.decimals = format.is_integer ? 0 : static_cast<int>(*decimals);
  }
  return !cursor.skip('E') || cursor.take_number(kWidest).has_value();
}

/// Returns where the exponent begins: at its letter, or at a sign after the first character; the size if there is no exponent.
std::size_t find_exponent(std::string_view number) {
  const std::size_t letter = number.find_first_of("eEdD");
  return std::min({letter, number.find_first_of("+-", 1), number.size()});
}

/// Rewrites a number that from_chars would take differently from Fortran: implied point, scale factor, exponent without a letter.
std::string normalized(std::string_view number, const FortranFormat& format) {
  const std::size_t exponent_begin = find_exponent(number);
  std::string_view exponent_text = number.substr(exponent_begin);
  if (!exponent_text.empty() && std::string_view("eEdD").find(exponent_text.front()) != std::string_view::npos) {
    exponent_text.remove_prefix(1);
  }
  Count exponent = 0;
  if (exponent_begin < number.size() && !parse_integer(exponent_text, exponent)) {
    return std::string(number);  // malformed; the parser will report it
  }
  const std::string_view mantissa = number.substr(0, exponent_begin);
  if (mantissa.find('.') == std::string_view::npos) {
    exponent -= format.decimals;
  }
  if (exponent_begin == number.size()) {
    exponent -= format.scale;
  }
  return fmt::format("{}e{}", mantissa, exponent);
}

}  // namespace

std::optional<FortranFormat> parse_fortran_format(std::string_view text) {
  constexpr std::size_t kLargestScale = 100;
  const std::string compact = upper_without_blanks(text);
  FormatCursor cursor(compact);
  FortranFormat format;
  if (!cursor.skip('(')) {
    return std::nullopt;
  }
  const bool negative_scale = cursor.skip('-');
  std::optional<std::size_t> number = cursor.take_number(kWidest);
  if (cursor.skip('P')) {
    if (!number || *number > kLargestScale) {
      return std::nullopt;
    }
    format.scale = negative_scale ? -static_cast<int>(*number) : static_cast<int>(*number);
    cursor.skip(',');
    number = cursor.take_number(kWidest);
  } else if (negative_scale) {
    return std::nullopt;
  }
  format.repeat = number.value_or(1);
  const bool is_complete = format.repeat > 0 && parse_field(cursor, format) && cursor.skip(')') && cursor.done();
  return is_complete ? std::optional(format) : std::nullopt;
}

ParsedReal parse_fortran_real(std::string_view field, const FortranFormat& format) {
  const std::size_t begin = std::min(field.find_first_not_of(' '), field.size());
  const std::string_view number = field.substr(begin, field.find_last_not_of(' ') + 1 - begin);
  bool has_point = false;
  bool has_exponent_letter = false;
  bool has_inner_sign = false;
  for (std::size_t k = 0; k < number.size(); ++k) {
    const char c = number[k];
    has_point = has_point || c == '.';
    has_exponent_letter = has_exponent_letter || c == 'e' || c == 'E' || c == 'd' || c == 'D';
    has_inner_sign = has_inner_sign || (k > 0 && (c == '+' || c == '-'));
  }
  ParsedReal parsed;
  const bool is_plain = has_point && format.scale == 0 && !has_inner_sign;
  if (has_point && (has_exponent_letter || is_plain)) {
    parsed = parse_real(number.data(), number.data() + number.size());
    if (parsed.end != number.data() + number.size()) {
      parsed.status = NumberStatus::malformed;
    }
  } else if (!number.empty()) {
    const std::string rewritten = normalized(number, format);
    parsed = parse_real(rewritten.data(), rewritten.data() + rewritten.size());
    if (parsed.end != rewritten.data() + rewritten.size()) {
      parsed.status = NumberStatus::malformed;
    }
  }
  return parsed;
}

}  // namespace frond
