// SPDX-License-Identifier: BSD-3-Clause
// Reads the header of Harwell-Boeing and Rutherford-Boeing files.
#include <fmt/core.h>

#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "matrices/files/harwell_boeing.hpp"

namespace frond {

namespace {

/// Takes the next number of a header line, from 0 to `largest`.
Count take_number(Scanner& scanner, const char* what, Count largest) {
  const std::string_view word = scanner.take_word();
  Count value = 0;
  if (word.empty()) {
    scanner.fail(fmt::format("the header line ends before the {}", what));
  }
  if (!parse_integer(word, value)) {
    scanner.fail(fmt::format("the {} in the header is {}, which is not an integer of at most 64 bits", what, in_quotes(word)));
  }
  if (value < 0 || value > largest) {
    scanner.fail(fmt::format("the {} in the header is {}; it must lie between 0 and {}", what, value, largest));
  }
  return value;
}

/// Line 2: the number of lines of each part. Only whether there are right-hand sides matters: the formats give the line counts.
void read_card_counts(Scanner& scanner, HarwellBoeingHeader& header) {
  constexpr Count kLargest = std::numeric_limits<Count>::max();
  for (const char* what : {"number of lines", "number of lines of column pointers", "number of lines of row indices"}) {
    static_cast<void>(take_number(scanner, what, kLargest));
  }
  if (!scanner.at_line_end()) {
    static_cast<void>(take_number(scanner, "number of lines of values", kLargest));
  }
  header.has_right_hand_sides = !scanner.at_line_end() && take_number(scanner, "number of lines of right-hand sides", kLargest) > 0;
}

void read_field(const Scanner& scanner, char letter, HarwellBoeingHeader& header) {
  constexpr std::array kFieldOfLetter = {MatrixMarketField::real, MatrixMarketField::complex, MatrixMarketField::integer,
                                         MatrixMarketField::pattern};
  const std::size_t place = std::string_view("RCIP").find(letter);
  if (place == std::string_view::npos) {
    scanner.fail("the first letter of the matrix type is none of R (real), C (complex), I (integer), P (pattern)");
  }
  header.field = kFieldOfLetter[place];
}

void read_symmetry(const Scanner& scanner, char letter, HarwellBoeingHeader& header) {
  constexpr std::array kSymmetryOfLetter = {Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian, Symmetry::general,
                                            Symmetry::general};
  const std::size_t place = std::string_view("SZHUR").find(letter);
  if (place == std::string_view::npos) {
    scanner.fail(
        "the second letter of the matrix type is none of U (unsymmetric), R (rectangular), S (symmetric), H (hermitian), "
        "Z (skew-symmetric)");
  }
  header.symmetry = kSymmetryOfLetter[place];
}

/// Line 3: the type and the sizes.
void read_type_and_sizes(Scanner& scanner, HarwellBoeingHeader& header) {
  std::string type(scanner.take_word());
  for (char& c : type) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  if (type.size() != 3) {
    scanner.fail(fmt::format("the matrix type is {} where three letters such as RUA are expected", in_quotes(type)));
  }
  read_field(scanner, type[0], header);
  read_symmetry(scanner, type[1], header);
  if (type[2] != 'A') {
    scanner.fail(
        fmt::format("the matrix type is {}: only assembled matrices (third letter A) can be read; assemble the elements first",
                    in_quotes(type)));
  }
  constexpr Count kLargestIndex = std::numeric_limits<Index>::max();
  header.num_rows = static_cast<Index>(take_number(scanner, "number of rows", kLargestIndex));
  header.num_cols = static_cast<Index>(take_number(scanner, "number of columns", kLargestIndex));
  header.num_entries = take_number(scanner, "number of entries", std::numeric_limits<Count>::max() / 4);
  if (header.symmetry != Symmetry::general && header.num_rows != header.num_cols) {
    scanner.fail(
        fmt::format("the type {} means a square matrix, but the header says {} by {}", type, header.num_rows, header.num_cols));
  }
  if (header.symmetry == Symmetry::hermitian && header.field != MatrixMarketField::complex) {
    scanner.fail(fmt::format("the type is {}, but only a complex matrix can be hermitian; write S for symmetric", type));
  }
  if (header.symmetry == Symmetry::skew_symmetric && header.field == MatrixMarketField::pattern) {
    scanner.fail(fmt::format("the type is {}, but a pattern has no values that could be skew-symmetric; write S", type));
  }
}

FortranFormat parse_format(const Scanner& scanner, std::string_view text, const char* what) {
  const std::optional<FortranFormat> format = parse_fortran_format(text);
  if (!format) {
    scanner.fail(fmt::format("the format of the {} is {}; one such as (16I5) or (1P,4D20.12) is expected", what, in_quotes(text)));
  }
  return *format;
}

/// Line 4: formats in columns 1-16, 17-32 and 33-52.
void read_formats(Scanner& scanner, HarwellBoeingHeader& header) {
  Scanner here = scanner;
  const std::string_view line = scanner.take_line();
  const auto columns = [line](std::size_t begin, std::size_t length) {
    return begin < line.size() ? line.substr(begin, length) : std::string_view();
  };
  header.offsets_format = parse_format(here, columns(0, 16), "column pointers");
  header.rows_format = parse_format(here, columns(16, 16), "row indices");
  if (!header.offsets_format.is_integer || !header.rows_format.is_integer) {
    here.fail("the formats of column pointers and row indices must be integer ones, such as (16I5)");
  }
  if (header.field != MatrixMarketField::pattern) {
    header.values_format = parse_format(here, columns(32, 20), "values");
  }
  if (header.has_right_hand_sides) {
    header.sides_format = parse_format(here, columns(52, 20), "right-hand sides");
  }
}

/// Line 5: F for vectors in full or M for the form of a matrix, and their number.
void read_kind_of_sides(Scanner& scanner, HarwellBoeingHeader& header) {
  const std::string_view kind = scanner.take_word();
  if (kind.starts_with('F') || kind.starts_with('f')) {
    header.num_right_hand_sides =
        static_cast<Index>(take_number(scanner, "number of right-hand sides", std::numeric_limits<Index>::max()));
  }
}

/// Looks ahead, in a copy: the fifth line of a Harwell-Boeing header begins with a letter, where the numbers should begin.
void reject_unannounced_line(Scanner ahead) {
  if (!ahead.at_line_end() && std::isalpha(static_cast<unsigned char>(ahead.peek())) != 0) {
    const Count line = ahead.line();
    ahead.fail_at(line, fmt::format("{} looks like a Harwell-Boeing line about right-hand sides, but line 2 does not announce any; "
                                    "remove the line",
                                    in_quotes(ahead.take_line())));
  }
}

}  // namespace

HarwellBoeingHeader read_harwell_boeing_header(Scanner& scanner) {
  HarwellBoeingHeader header;
  scanner.next_line();  // title and key
  read_card_counts(scanner, header);
  scanner.next_line();
  read_type_and_sizes(scanner, header);
  scanner.next_line();
  read_formats(scanner, header);
  if (header.has_right_hand_sides) {
    read_kind_of_sides(scanner, header);
    scanner.next_line();
  } else {
    reject_unannounced_line(scanner);
  }
  return header;
}

}  // namespace frond
