// SPDX-License-Identifier: BSD-3-Clause
// Walks through the lines and words of a text file in memory and reports errors with file and line.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/types.hpp"
#include "matrices/files/number.hpp"

namespace frond {

/// A position in a text. Words are separated by blanks; a carriage return counts as a blank, so lines may end in CRLF.
class Scanner {
 public:
  /// The text must outlive the scanner. Error texts name `file` and count lines from `first_line`.
  Scanner(std::string_view text, std::string file, Count first_line = 1)
      : begin_(text.data()), next_(begin_), end_(begin_ + text.size()), file_(std::move(file)), line_(first_line) {}

  [[nodiscard]] Count line() const { return line_; }
  [[nodiscard]] Count bytes_left() const { return end_ - next_; }
  [[nodiscard]] std::string_view rest() const { return {next_, static_cast<std::size_t>(end_ - next_)}; }
  /// Notes about tolerated deviations from the format, each given once.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  void note(const std::string& text);

  /// Moves to the next word, past line ends if necessary; false at the end of the text.
  [[nodiscard]] bool find_word() {
    while (at_line_end()) {
      if (next_ == end_) {
        return false;
      }
      ++next_;
      ++line_;
    }
    return true;
  }
  /// Skips blanks; true if the line has no more words.
  [[nodiscard]] bool at_line_end() {
    while (next_ != end_ && is_blank(*next_)) {
      ++next_;
    }
    return next_ == end_ || *next_ == '\n';
  }
  /// The character at the position, which find_word() or at_line_end() has shown to exist.
  [[nodiscard]] char peek() const { return *next_; }

  /// Returns the word at the position and moves past it; empty at the end of the line.
  std::string_view take_word();
  /// Returns the rest of the line without its end; the position moves to the next line.
  std::string_view take_line();
  /// Moves to the beginning of the next line.
  void next_line();

  /// Reads a 1-based index up to `bound` and returns it 0-based; `what` ("row", "column") is for error texts.
  [[nodiscard]] Index take_index(const char* what, Index bound) {
    Count value = 0;
    const char* digit = next_;
    while (digit != end_ && *digit >= '0' && *digit <= '9' && value < kLargeIndex) {
      value = 10 * value + (*digit++ - '0');
    }
    const bool is_whole_word = digit != next_ && (digit == end_ || is_blank(*digit) || *digit == '\n');
    if (!is_whole_word || value < 1 || value > bound) {
      fail_index(what, bound);
    }
    next_ = digit;
    return static_cast<Index>(value - 1);
  }
  /// Reads a finite real number; `what` ("value", "real part") is for error texts.
  [[nodiscard]] double take_real(const char* what) {
    const ParsedReal parsed = parse_real(next_, end_);
    const bool is_whole_word = parsed.end == end_ || is_blank(*parsed.end) || *parsed.end == '\n';
    if (parsed.status != NumberStatus::ok || !is_whole_word) {
      fail_real(what, parsed.status);
    }
    next_ = parsed.end;
    if (parsed.has_bare_exponent) {
      note_bare_exponent();
    }
    return parsed.value;
  }

  /// Throws an InputError for the current line; after the last line, for the last one.
  [[noreturn]] void fail(const std::string& cause) const;
  [[noreturn]] void fail_at(Count line, const std::string& cause) const { throw InputError(file_, line, cause); }

 private:
  static constexpr Count kLargeIndex = Count{1} << 40;

  [[nodiscard]] static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
  [[noreturn]] void fail_index(const char* what, Index bound);
  [[noreturn]] void fail_real(const char* what, NumberStatus status);
  void note_bare_exponent() {
    note("exponents stand without their letter, as in 0.5-100, which was read as 0.5e-100 as Fortran does");
  }

  const char* begin_;
  const char* next_;
  const char* end_;
  std::string file_;
  Count line_;
  std::vector<std::string> notes_;
};

/// Quotes a piece of input for an error text: at most about forty characters, nothing unprintable.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace frond
