// SPDX-License-Identifier: BSD-3-Clause
// Reads values and line ends of Matrix Market entries, and reports what is wrong with them.
#include "matrices/files/matrix_market_entry.hpp"

#include <fmt/core.h>

#include <cmath>

namespace frond {

namespace {

constexpr const char* kCommentRule = "comments belong between the banner and the size line";

/// "the 5 entries that the size line (line 2) announces"
std::string announced(const MatrixMarketHeader& header) {
  return fmt::format("the {} entries that the size line (line {}) announces", header.num_entries, header.size_line);
}

[[noreturn]] void fail_end_of_file(const Scanner& scanner, const MatrixMarketHeader& header, Count num_read) {
  scanner.fail(fmt::format("the file ends after {} of {}", num_read, announced(header)));
}

/// Reports a comment in place of an entry: a file in which only comments follow is truncated.
[[noreturn]] void fail_comment(Scanner& scanner, const MatrixMarketHeader& header, Count num_read) {
  const Count line = scanner.line();
  while (scanner.find_word() && scanner.peek() == '%') {
    scanner.next_line();
  }
  if (scanner.bytes_left() == 0) {
    fail_end_of_file(scanner, header, num_read);
  }
  scanner.fail_at(line, fmt::format("a comment stands among the entries; {}", kCommentRule));
}

double take_integer(Scanner& scanner) {
  const double value = scanner.take_real("value");
  if (value != std::floor(value)) {
    scanner.fail(fmt::format("the value {} is no integer, as the banner promises; write real for integer in the banner", value));
  }
  return value;
}

[[noreturn]] void fail_rest_of_line(Scanner& scanner, const MatrixMarketHeader& header) {
  const std::string word = in_quotes(scanner.take_word());
  if (header.field == MatrixMarketField::pattern) {
    scanner.fail(fmt::format(
        "the entry has the value {} although the banner says pattern; write real for pattern, or drop the values", word));
  }
  scanner.fail(fmt::format("the line goes on with {} after the entry; one entry per line is expected", word));
}

}  // namespace

void expect_entry(Scanner& scanner, const MatrixMarketHeader& header, Count num_read) {
  if (!scanner.find_word()) {
    fail_end_of_file(scanner, header, num_read);
  }
  if (scanner.peek() == '%') {
    fail_comment(scanner, header, num_read);
  }
}

template <class S>
S take_value(Scanner& scanner, MatrixMarketField field) {
  static_cast<void>(scanner.at_line_end());
  if constexpr (kIsComplex<S>) {
    const double real = scanner.take_real("real part");
    static_cast<void>(scanner.at_line_end());
    return {real, scanner.take_real("imaginary part")};
  } else {
    return field == MatrixMarketField::integer ? take_integer(scanner) : scanner.take_real("value");
  }
}

template <class S>
void finish_entry(Scanner& scanner, const MatrixMarketHeader& header, Index row, Index col, S value) {
  if (!scanner.at_line_end()) {
    fail_rest_of_line(scanner, header);
  }
  if constexpr (kIsComplex<S>) {
    if (row == col && header.symmetry == Symmetry::hermitian && value.imag() != 0) {
      scanner.fail(fmt::format("entry ({}, {}) on the diagonal of a hermitian matrix has the imaginary part {}; it must be 0",
                               row + 1, col + 1, value.imag()));
    }
  }
}

void expect_end(Scanner& scanner, const MatrixMarketHeader& header) {
  if (!scanner.find_word()) {
    return;
  }
  const Count line = scanner.line();
  if (scanner.peek() == '%') {
    scanner.fail(fmt::format("a comment stands after the entries; {}", kCommentRule));
  }
  Count surplus = 0;
  for (; scanner.find_word(); scanner.next_line()) {
    ++surplus;
  }
  scanner.fail_at(line,
                  fmt::format("{} more lines follow {}; correct the count or remove the surplus", surplus, announced(header)));
}

template double take_value(Scanner&, MatrixMarketField);
template std::complex<double> take_value(Scanner&, MatrixMarketField);
template void finish_entry(Scanner&, const MatrixMarketHeader&, Index, Index, double);
template void finish_entry(Scanner&, const MatrixMarketHeader&, Index, Index, std::complex<double>);

}  // namespace frond
