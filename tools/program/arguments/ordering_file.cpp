// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes orderings.
#include "tools/program/arguments/ordering_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string_view>
#include <utility>

#include "frond/error.hpp"
#include "tools/program/process/atomic_output.hpp"

namespace frond {
namespace {

constexpr std::array<std::pair<OrderingKind, const char*>, 6> kNames = {{{OrderingKind::automatic, "automatic"},
                                                                         {OrderingKind::dissection, "dissection"},
                                                                         {OrderingKind::metis, "metis"},
                                                                         {OrderingKind::amd, "amd"},
                                                                         {OrderingKind::natural, "natural"},
                                                                         {OrderingKind::given, "given"}}};

InputError bad_number(const std::string& path, Count line, std::string_view text) {
  return {
      path, line,
      fmt::format("'{}' is no variable: an ordering has one number a line, counted from 1, or two: a column and its row", text)};
}

// Returns the numbers of a line, counted from 0.
std::vector<Index> parse_line(const std::string& path, Count line, std::string_view text) {
  std::vector<Index> numbers;
  const char* const end = text.data() + text.size();
  const auto skip_blanks = [end](const char* at) {
    return std::find_if(at, end, [](char c) { return c != ' ' && c != '\t' && c != '\r'; });
  };
  for (const char* at = skip_blanks(text.data()); at != end; at = skip_blanks(at)) {
    Index number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 1 || numbers.size() == 2 || (after != end && skip_blanks(after) == after)) {
      throw bad_number(path, line, text);
    }
    numbers.push_back(number - 1);
    at = after;
  }
  return numbers;
}

// The numbers of one column of a file, with their lines.
struct NumberedLines {
  std::vector<Index> numbers;
  std::vector<Count> lines;
};

// Checks that the numbers are a permutation of 1 to their count.
void check_permutation(const std::string& path, const NumberedLines& column, const char* what) {
  std::vector<Count> line_of(column.numbers.size(), 0);
  for (std::size_t k = 0; k < line_of.size(); ++k) {
    const auto number = static_cast<std::size_t>(column.numbers[k]);
    if (number >= line_of.size()) {
      throw InputError(path, column.lines[k],
                       fmt::format("there is no {} {}: the file orders {}", what, number + 1, line_of.size()));
    }
    if (line_of[number] != 0) {
      throw InputError(path, column.lines[k],
                       fmt::format("{} {} was eliminated in line {} before", what, number + 1, line_of[number]));
    }
    line_of[number] = column.lines[k];
  }
}

OrderingOptions read_ordering(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw InputError(path, 0, "is neither an ordering (automatic, dissection, metis, amd, natural) nor a file that can be opened");
  }
  NumberedLines columns;
  NumberedLines rows;
  Count line = 0;
  for (std::string text; std::getline(file, text);) {
    ++line;
    const std::vector<Index> numbers = parse_line(path, line, text);
    if (numbers.empty()) {
      continue;
    }
    columns.numbers.push_back(numbers.front());
    columns.lines.push_back(line);
    if (numbers.size() == 2) {
      rows.numbers.push_back(numbers.back());
      rows.lines.push_back(line);
    }
    if (!rows.numbers.empty() && rows.numbers.size() != columns.numbers.size()) {
      throw InputError(path, line, "some lines name a row and some do not: give every column its row, or none");
    }
  }
  check_permutation(path, columns, rows.numbers.empty() ? "variable" : "column");
  check_permutation(path, rows, "row");
  OrderingOptions options;
  options.kind = OrderingKind::given;
  options.row_of_column.resize(rows.numbers.size());
  for (std::size_t k = 0; k < rows.numbers.size(); ++k) {
    options.row_of_column[columns.numbers[k]] = rows.numbers[k];
  }
  options.perm = std::move(columns.numbers);
  return options;
}

}  // namespace

std::string to_string(OrderingKind kind) {
  for (const auto& [candidate, name] : kNames) {
    if (candidate == kind) {
      return name;
    }
  }
  return {};
}

std::string to_string(MatchingKind kind) {
  switch (kind) {
    case MatchingKind::pairs:
      return "pairs";
    case MatchingKind::rows:
      return "rows";
    default:
      return "none";
  }
}

OrderingOptions parse_ordering(const std::string& kind_or_file) {
  OrderingOptions options;
  for (const auto& [kind, name] : kNames) {
    if (kind != OrderingKind::given && kind_or_file == name) {
      options.kind = kind;
      return options;
    }
  }
  return read_ordering(kind_or_file);
}

void write_ordering(const std::string& path, const Symbolic& symbolic) {
  fmt::memory_buffer text;
  const std::vector<Index>& columns = symbolic.permutation().perm;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    fmt::format_to(std::back_inserter(text), "{}", columns[k] + 1);
    if (!symbolic.row_of_column().empty()) {
      fmt::format_to(std::back_inserter(text), " {}", symbolic.row_perm()[k] + 1);
    }
    text.push_back('\n');
  }
  write_text(path, std::string_view(text.data(), text.size()));
}

}  // namespace frond
