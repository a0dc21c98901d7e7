// SPDX-License-Identifier: BSD-3-Clause
// Detects the format of a file from its first lines.
#include "matrices/files/file_format.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "matrices/files/foreign_file.hpp"
#include "matrices/files/matrix_market.hpp"

namespace frond {

namespace {

/// True if the line begins with a matrix type such as RUA: field, symmetry, assembled or elemental.
bool has_type_code(std::string_view line) {
  const auto is_one_of = [](char c, std::string_view letters) {
    return letters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(c)))) != std::string_view::npos;
  };
  return line.size() > 3 && is_one_of(line[0], "RCPI") && is_one_of(line[1], "SUHZR") && is_one_of(line[2], "AE") && line[3] == ' ';
}

/// True if the line holds at least three integers and nothing else.
bool has_card_counts(std::string_view line) {
  Scanner scanner(line, "");
  int num_words = 0;
  for (; !scanner.at_line_end(); ++num_words) {
    Count value = 0;
    if (!parse_integer(scanner.take_word(), value)) {
      return false;
    }
  }
  return num_words >= 3;
}

/// Line 2 holds the card counts, line 3 begins with the matrix type, line 4 with a Fortran format: two of the three are enough.
bool looks_like_harwell_boeing(std::string_view text) {
  Scanner scanner(text, "");
  std::array<std::string_view, 4> lines;
  for (std::string_view& line : lines) {
    line = scanner.take_line();
  }
  const bool has_formats = Scanner(lines[3], "").take_word().starts_with('(');
  return int{has_card_counts(lines[1])} + int{has_type_code(lines[2])} + int{has_formats} >= 2;
}

}  // namespace

FormattedText detect_format(std::string_view text, const std::string& file) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  reject_binary(text, file);
  const bool has_mark = text.starts_with(kByteOrderMark);
  text.remove_prefix(has_mark ? kByteOrderMark.size() : 0);
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n\v\f"), text.size());
  const bool is_matrix_market = matrix_market_banner(text.substr(begin)) > 0;
  if (!is_matrix_market && !looks_like_harwell_boeing(text)) {
    reject_foreign_text(text, file);
  }
  const std::string_view before = text.substr(0, is_matrix_market ? begin : 0);
  Scanner scanner(text.substr(before.size()), file, 1 + std::count(before.begin(), before.end(), '\n'));
  if (has_mark) {
    scanner.note("the file begins with a byte-order mark, which was passed over");
  }
  if (!before.empty()) {
    scanner.note("blanks or blank lines stand before the banner; they were passed over");
  }
  return {is_matrix_market ? FileFormat::matrix_market : FileFormat::harwell_boeing, std::move(scanner)};
}

}  // namespace frond
