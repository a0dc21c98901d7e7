// SPDX-License-Identifier: BSD-3-Clause
// Reads the banner and the size line of Matrix Market files.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "matrices/files/matrix_market.hpp"

namespace frond {

namespace {

constexpr std::string_view kBannerSigns = "%%";
constexpr std::string_view kBannerWord = "MatrixMarket";
constexpr std::string_view kUnsigned = "unsigned-integer";

template <class Value, std::size_t N>
using Keywords = std::array<std::pair<std::string_view, Value>, N>;

constexpr Keywords<MatrixMarketLayout, 2> kLayouts = {
    {{"coordinate", MatrixMarketLayout::coordinate}, {"array", MatrixMarketLayout::array}}};
constexpr Keywords<MatrixMarketField, 4> kFields = {{{"real", MatrixMarketField::real},
                                                     {"complex", MatrixMarketField::complex},
                                                     {"integer", MatrixMarketField::integer},
                                                     {"pattern", MatrixMarketField::pattern}}};
constexpr Keywords<Symmetry, 4> kSymmetries = {{{"general", Symmetry::general},
                                                {"symmetric", Symmetry::symmetric},
                                                {"skew-symmetric", Symmetry::skew_symmetric},
                                                {"hermitian", Symmetry::hermitian}}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

template <class Value, std::size_t N>
const Value* find_keyword(const Keywords<Value, N>& keywords, std::string_view word) {
  const auto* found =
      std::find_if(keywords.begin(), keywords.end(), [&](const auto& keyword) { return equal_ignoring_case(keyword.first, word); });
  return found == keywords.end() ? nullptr : &found->second;
}

template <class Value, std::size_t N>
std::string list_of(const Keywords<Value, N>& keywords) {
  std::string list;
  for (const auto& [word, value] : keywords) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", word);
  }
  return list;
}

/// Reads one word of the banner that must be one of `keywords`; `what` names its place.
template <class Value, std::size_t N>
Value take_keyword(Scanner& scanner, const char* what, const Keywords<Value, N>& keywords) {
  const std::string_view word = scanner.take_word();
  if (word.empty()) {
    scanner.fail(fmt::format("the banner ends before the {}; write one of {}", what, list_of(keywords)));
  }
  const Value* const value = find_keyword(keywords, word);
  if (value == nullptr && find_keyword(kSymmetries, word) != nullptr) {
    scanner.fail(
        fmt::format("the {} is missing in the banner before {}; write one of {}", what, in_quotes(word), list_of(keywords)));
  }
  if (value == nullptr) {
    scanner.fail(fmt::format("the {} {} of the banner is unknown; write one of {}", what, in_quotes(word), list_of(keywords)));
  }
  return *value;
}

void check_combination(const Scanner& scanner, const MatrixMarketHeader& header) {
  const bool is_pattern = header.field == MatrixMarketField::pattern;
  if (is_pattern && header.layout == MatrixMarketLayout::array) {
    scanner.fail("an array file cannot have the field pattern; write real, complex or integer");
  }
  if (is_pattern && (header.symmetry == Symmetry::skew_symmetric || header.symmetry == Symmetry::hermitian)) {
    scanner.fail("a pattern has no values that could be skew-symmetric or hermitian; write general or symmetric");
  }
  if (header.symmetry == Symmetry::hermitian && header.field != MatrixMarketField::complex) {
    scanner.fail("only a complex matrix can be hermitian; write symmetric for one with real values");
  }
}

MatrixMarketField take_field(Scanner& scanner) {
  Scanner ahead = scanner;
  if (equal_ignoring_case(ahead.take_word(), kUnsigned)) {
    scanner.take_word();
    scanner.note("the field unsigned-integer of the banner, which the format does not know, was read as integer");
    return MatrixMarketField::integer;
  }
  return take_keyword(scanner, "field", kFields);
}

void read_banner(Scanner& scanner, MatrixMarketHeader& header) {
  if (equal_ignoring_case(scanner.take_word(), kBannerSigns)) {
    scanner.take_word();
    scanner.note("blanks stand within the banner word %%MatrixMarket; they were passed over");
  }
  const std::string_view object = scanner.take_word();
  header.is_vector = equal_ignoring_case(object, "vector");
  if (!header.is_vector && !equal_ignoring_case(object, "matrix")) {
    scanner.fail(fmt::format("the banner has the object {} where 'matrix' or 'vector' is expected", in_quotes(object)));
  }
  header.layout = take_keyword(scanner, "format", kLayouts);
  header.field = take_field(scanner);
  if (header.is_vector) {
    scanner.note("the file holds a vector, which was read as a matrix of one column");
  }
  if (!header.is_vector || !scanner.at_line_end()) {
    header.symmetry = take_keyword(scanner, "symmetry", kSymmetries);
  }
  if (header.is_vector && header.symmetry != Symmetry::general) {
    scanner.fail("a vector has no symmetry; write general");
  }
  if (!scanner.at_line_end()) {
    scanner.fail(fmt::format("the banner goes on with {} after its five words", in_quotes(scanner.take_word())));
  }
  check_combination(scanner, header);
}

Count take_size(Scanner& scanner, const char* what, Count largest) {
  const std::string_view word = scanner.take_word();
  Count value = 0;
  if (word.empty()) {
    scanner.fail(fmt::format("the size line ends before the number of {}", what));
  }
  const bool is_integer = parse_integer(word, value);
  if (!is_integer && word.find_first_not_of("0123456789") != std::string_view::npos) {
    scanner.fail(fmt::format("the number of {} in the size line is {}, which is not an integer", what, in_quotes(word)));
  }
  if (value < 0) {
    scanner.fail(fmt::format("the number of {} in the size line is negative: {}", what, value));
  }
  if (!is_integer || value > largest) {
    scanner.fail(fmt::format("the number of {} in the size line is {}; at most {} are supported", what, in_quotes(word), largest));
  }
  return value;
}

/// Number of values that an array file of this size holds.
Count array_length(const MatrixMarketHeader& header) {
  const Count n = header.num_rows;
  switch (header.symmetry) {
    case Symmetry::general:
      return n * header.num_cols;
    case Symmetry::skew_symmetric:
      return n * (n - 1) / 2;
    default:
      return n * (n + 1) / 2;
  }
}

const char* expected_sizes(const MatrixMarketHeader& header) {
  if (header.layout == MatrixMarketLayout::coordinate) {
    return header.is_vector ? "'rows entries'" : "'rows columns entries'";
  }
  return header.is_vector ? "'rows'" : "'rows columns'";
}

void read_size_line(Scanner& scanner, MatrixMarketHeader& header) {
  constexpr Count kLargestIndex = std::numeric_limits<Index>::max();
  header.size_line = scanner.line();
  header.num_rows = static_cast<Index>(take_size(scanner, "rows", kLargestIndex));
  header.num_cols = header.is_vector ? 1 : static_cast<Index>(take_size(scanner, "columns", kLargestIndex));
  if (header.layout == MatrixMarketLayout::coordinate) {
    header.num_entries = take_size(scanner, "entries", std::numeric_limits<Count>::max());
  }
  if (!scanner.at_line_end()) {
    scanner.fail(
        fmt::format("the size line goes on with {}; {} is expected", in_quotes(scanner.take_word()), expected_sizes(header)));
  }
  if (header.symmetry != Symmetry::general && header.num_rows != header.num_cols) {
    scanner.fail(fmt::format("a {} matrix is square, but the size line says {} by {}",
                             kSymmetries.at(static_cast<std::size_t>(header.symmetry)).first, header.num_rows, header.num_cols));
  }
  if (header.layout == MatrixMarketLayout::array) {
    header.num_entries = array_length(header);
  }
}

}  // namespace

std::size_t matrix_market_banner(std::string_view text) {
  if (!text.starts_with(kBannerSigns)) {
    return 0;
  }
  const std::size_t begin = std::min(text.find_first_not_of(" \t", kBannerSigns.size()), text.size());
  const std::size_t end = begin + kBannerWord.size();
  const bool is_banner = equal_ignoring_case(text.substr(begin, kBannerWord.size()), kBannerWord) &&
                         (text.size() == end || std::string_view(" \t\r\n").find(text[end]) != std::string_view::npos);
  return is_banner ? end : 0;
}

MatrixMarketHeader read_matrix_market_header(Scanner& scanner) {
  MatrixMarketHeader header;
  read_banner(scanner, header);
  scanner.next_line();
  while (scanner.find_word() && scanner.peek() == '%') {
    scanner.next_line();
  }
  if (scanner.bytes_left() == 0) {
    scanner.fail("the file ends before the size line");
  }
  read_size_line(scanner, header);
  scanner.next_line();
  return header;
}

}  // namespace frond
