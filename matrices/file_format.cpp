// SPDX-License-Identifier: BSD-3-Clause
// Finding out what a file is, and what it most likely is when it cannot be read.
#include "matrices/file_format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "matrices/error.hpp"
#include "matrices/matrix_market.hpp"
#include "matrices/scanner.hpp"

namespace frond {

namespace {

constexpr const char* kReadable =
    "Matrix Market, Harwell-Boeing and Rutherford-Boeing files can be read, plain or compressed by gzip";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  Scanner scanner(line, "");
  while (!scanner.at_line_end()) {
    words.push_back(scanner.take_word());
  }
  return words;
}

bool is_integer(std::string_view word) {
  Count value = 0;
  return parse_integer(word, value);
}

bool is_number(std::string_view word) {
  const ParsedReal parsed = parse_real(word.data(), word.data() + word.size());
  return parsed.status == NumberStatus::ok && parsed.end == word.data() + word.size();
}

/// A matrix type such as RUA at the beginning of a line: field, symmetry, assembled or elemental.
bool has_type_code(std::string_view line) {
  const auto is_one_of = [](char c, std::string_view letters) {
    return letters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(c)))) != std::string_view::npos;
  };
  return line.size() > 3 && is_one_of(line[0], "RCPIQ") && is_one_of(line[1], "SUHZR") && is_one_of(line[2], "AE") &&
         line[3] == ' ';
}

/// Line 2 holds the card counts; line 3 begins with the matrix type, or line 4 with a Fortran format.
bool looks_like_harwell_boeing(std::string_view text) {
  Scanner scanner(text, "");
  std::array<std::string_view, 4> lines;
  for (std::string_view& line : lines) {
    line = scanner.take_line();
  }
  const std::vector<std::string_view> counts = words_of(lines[1]);
  const std::vector<std::string_view> formats = words_of(lines[3]);
  const bool has_counts = counts.size() >= 3 && std::all_of(counts.begin(), counts.end(), is_integer);
  const bool has_formats = !formats.empty() && formats.front().starts_with('(');
  return has_type_code(lines[2]) ? has_counts || has_formats : has_counts && has_formats;
}

/// Throws for files that are no text at all.
void reject_binary(std::string_view text, const std::string& file) {
  constexpr std::size_t kTarMagic = 257;
  constexpr std::size_t kLookedAt = 512;
  if (text.size() > kTarMagic + 5 && text.substr(kTarMagic, 5) == "ustar") {
    const std::string_view member = text.substr(0, std::min<std::size_t>(text.find('\0'), 100));
    throw InputError(file, 0,
                     fmt::format("this is a tar archive, its first member is {}; unpack it with tar -xf and give the matrix file",
                                 quoted(member)));
  }
  const std::string_view head = text.substr(0, kLookedAt);
  const bool is_binary = std::any_of(head.begin(), head.end(), [](char c) { return c >= 0 && c < ' ' && (c < '\t' || c > '\r'); });
  if (is_binary) {
    throw InputError(file, 0, fmt::format("this is a binary file, not a matrix in text form; {}", kReadable));
  }
}

/// Numbers without a banner: most often a list of triplets, with or without a header line.
[[noreturn]] void reject_numbers(Scanner& scanner) {
  const Count line = scanner.line();
  const std::string_view text = scanner.take_line();
  const std::vector<std::string_view> words = words_of(text);
  const bool has_header = words.size() >= 3 && std::all_of(words.begin(), words.end(), is_integer) && scanner.find_word() &&
                          words_of(scanner.take_line()).size() != words.size();
  constexpr const char* kRemedy =
      "to make it a Matrix Market file put '%%MatrixMarket matrix coordinate real general' (or as it applies: complex, pattern; "
      "symmetric, the lower triangle only) and a size line 'rows columns entries' before the entries, whose indices start at 1";
  if (words.size() < 3) {
    scanner.fail_at(line, fmt::format("the file begins with the numbers {} but has no banner that says what they are; {}",
                                      quoted(text), kRemedy));
  }
  scanner.fail_at(line, fmt::format("the file has no banner; it looks like a list of triplets {}; {}",
                                    has_header ? fmt::format("with the header {}", quoted(text))
                                               : fmt::format("that begins with {}", quoted(text)),
                                    kRemedy));
}

[[noreturn]] void reject_text(Scanner& scanner) {
  const Count line = scanner.line();
  if (scanner.peek() == '%') {
    scanner.fail_at(
        line, fmt::format("the file begins with {} instead of a banner such as '%%MatrixMarket matrix coordinate real general'",
                          quoted(scanner.take_line())));
  }
  scanner.fail_at(line, fmt::format("this is text but no matrix: it begins with {}; {}", quoted(scanner.take_line()), kReadable));
}

}  // namespace

FileFormat detect_format(std::string_view text, const std::string& file) {
  if (has_matrix_market_banner(text)) {
    return FileFormat::matrix_market;
  }
  if (looks_like_harwell_boeing(text)) {
    return FileFormat::harwell_boeing;
  }
  reject_binary(text, file);
  Scanner scanner(text, file);
  if (!scanner.find_word()) {
    throw InputError(file, 0, text.empty() ? "the file is empty" : "the file holds nothing but blanks");
  }
  const Count line = scanner.line();
  Scanner rest = scanner;
  const std::string_view word = rest.take_word();
  if (line > 1 && has_matrix_market_banner(word)) {
    scanner.fail(
        fmt::format("blank lines stand before the banner, which must be the first line; remove the {} lines above it", line - 1));
  }
  if (is_number(word)) {
    reject_numbers(scanner);
  }
  reject_text(scanner);
}

}  // namespace frond
