// SPDX-License-Identifier: BSD-3-Clause
// Parses numbers and ranges.
#include "tools/program/arguments/schur_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>

#include "frond/error.hpp"

namespace frond {
namespace {

constexpr const char* kOption = "--schur";

bool separates(char c) { return c == ',' || c == ' ' || c == '\t' || c == '\r'; }

// Appends the variables of a word, a number or two with a '-' between them.
void append_word(const std::string& source, Count line, std::string_view word, std::vector<Index>& variables) {
  const char* const end = word.data() + word.size();
  Index first = 0;
  auto [at, error] = std::from_chars(word.data(), end, first);
  Index last = first;
  if (error == std::errc() && at != end && *at == '-') {
    const auto second = std::from_chars(at + 1, end, last);
    at = second.ptr;
    error = second.ec;
  }
  if (error != std::errc() || at != end || first < 1 || last < first) {
    throw InputError(source, line,
                     fmt::format("'{}' is neither a variable, counted from 1, nor a range of them such as 7-9", word));
  }
  for (Index variable = first - 1; variable < last; ++variable) {
    variables.push_back(variable);
  }
}

void append_line(const std::string& source, Count line, std::string_view text, std::vector<Index>& variables) {
  for (auto begin = text.begin(); begin != text.end();) {
    begin = std::find_if_not(begin, text.end(), separates);
    const auto end = std::find_if(begin, text.end(), separates);
    if (begin != end) {
      append_word(source, line, std::string_view(&*begin, static_cast<std::size_t>(end - begin)), variables);
    }
    begin = end;
  }
}

void append_file(const std::string& path, std::vector<Index>& variables) {
  std::ifstream file(path);
  if (!file) {
    throw InputError(kOption, 0,
                     fmt::format("'{}' is neither a list of variables such as 3,7-9 nor a file that can be opened", path));
  }
  Count line = 0;
  for (std::string text; std::getline(file, text);) {
    append_line(path, ++line, text, variables);
  }
}

}  // namespace

bool is_schur_list(const std::string& list_or_file) { return list_or_file.find_first_not_of("0123456789,-") == std::string::npos; }

std::vector<Index> parse_schur_variables(const std::string& list_or_file) {
  std::vector<Index> variables;
  if (is_schur_list(list_or_file)) {
    append_line(kOption, 0, list_or_file, variables);
  } else {
    append_file(list_or_file, variables);
  }
  if (variables.empty() && !list_or_file.empty()) {
    throw InputError(kOption, 0,
                     fmt::format("'{}' names no variable; name some, such as 3,7-9, or leave the option out", list_or_file));
  }
  return variables;
}

void check_schur_list(const std::string& list_or_file, const std::vector<Index>& variables, Index order) {
  const std::string source = is_schur_list(list_or_file) ? kOption : fmt::format("{} {}", kOption, list_or_file);
  std::vector<bool> is_named(static_cast<std::size_t>(order), false);
  for (const Index variable : variables) {
    if (variable >= order) {
      throw UsageError(fmt::format("{}: there is no variable {}, the matrix has order {}", source, variable + 1, order));
    }
    if (is_named[variable]) {
      throw UsageError(fmt::format("{}: variable {} is named more than once; name it once", source, variable + 1));
    }
    is_named[variable] = true;
  }
}

}  // namespace frond
