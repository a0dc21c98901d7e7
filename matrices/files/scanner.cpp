// SPDX-License-Identifier: BSD-3-Clause
// Defines the parts of the scanner that are not hot: words, lines, errors.
#include "matrices/files/scanner.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "frond/error.hpp"

namespace frond {

std::string_view Scanner::take_word() {
  if (at_line_end()) {
    return {};
  }
  const char* const begin = next_;
  while (next_ != end_ && !is_blank(*next_) && *next_ != '\n') {
    ++next_;
  }
  return {begin, static_cast<std::size_t>(next_ - begin)};
}

std::string_view Scanner::take_line() {
  const char* const begin = next_;
  next_line();
  std::string_view line(begin, static_cast<std::size_t>(next_ - begin));
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) {
    line.remove_suffix(1);
  }
  return line;
}

void Scanner::next_line() {
  const void* const newline = next_ == end_ ? nullptr : std::memchr(next_, '\n', static_cast<std::size_t>(end_ - next_));
  if (newline == nullptr) {
    next_ = end_;
  } else {
    next_ = static_cast<const char*>(newline) + 1;
    ++line_;
  }
}

void Scanner::note(const std::string& text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) {
    notes_.push_back(text);
  }
}

void Scanner::fail(const std::string& cause) const {
  const bool behind_last_line = next_ == end_ && next_ != begin_ && next_[-1] == '\n';
  fail_at(behind_last_line ? line_ - 1 : line_, cause);
}

void Scanner::fail_index(const char* what, Index bound) {
  const std::string_view word = take_word();
  Count value = 0;
  if (word.empty()) {
    fail(fmt::format("the {} index is missing", what));
  }
  const bool is_integer = parse_integer(word, value);
  if (bound == 0) {
    fail(fmt::format("the matrix has no {}s, so it cannot have the entry with {} index {}", what, what, in_quotes(word)));
  }
  if (is_integer && value == 0) {
    fail(fmt::format("the {} index is 0, but indices start at 1; if the file counts from 0, add 1 to every index", what));
  }
  const bool is_huge = !is_integer && word.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_integer || is_huge) {
    fail(fmt::format("the {} index {} is outside 1 .. {}", what, word, bound));
  }
  fail(fmt::format("{} is no {} index: expected an integer from 1 to {}", in_quotes(word), what, bound));
}

void Scanner::fail_real(const char* what, NumberStatus status) {
  const std::string_view word = take_word();
  if (word.empty()) {
    fail(fmt::format("the {} of the entry is missing", what));
  }
  const ParsedReal parsed = parse_real(word.data(), word.data() + word.size());
  const bool is_whole_word = parsed.end == word.data() + word.size();
  if (status == NumberStatus::overflow && is_whole_word) {
    fail(fmt::format("the {} {} is larger than the largest double, 1.797e308; scale the matrix", what, in_quotes(word)));
  }
  if (status == NumberStatus::not_finite && is_whole_word) {
    fail(fmt::format("the {} is {}; every entry must be a finite number", what, in_quotes(word)));
  }
  fail(fmt::format("the {} {} is not a number", what, in_quotes(word)));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string shown(text.substr(0, kLongest));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return "'" + shown + (text.size() > kLongest ? "...'" : "'");
}

}  // namespace frond
