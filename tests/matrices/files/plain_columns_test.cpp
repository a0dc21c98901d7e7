// SPDX-License-Identifier: BSD-3-Clause
// Tests reading full lines by several threads against the reader with one.
#include "matrices/files/plain_columns.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {
namespace {

// Returns the numbers of one part, `repeat` per line.
std::string lines_of(const std::vector<std::string>& numbers, std::size_t repeat, std::size_t width, const std::string& line_end) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    text += fmt::format("{:>{}}", numbers[k], width);
    text += (k + 1) % repeat == 0 || k + 1 == numbers.size() ? line_end : "";
  }
  return text;
}

struct DrawnFile {
  std::string text;
  std::string type;  // such as RUA
};

DrawnFile drawn(std::mt19937& random, char field, char symmetry, Index order, double density) {
  std::vector<std::string> offsets = {"1"};
  std::vector<std::string> rows;
  std::vector<std::string> values;
  std::bernoulli_distribution held(density);
  for (Index j = 0; j < order; ++j) {
    for (Index i = symmetry == 'U' ? 0 : j + (symmetry == 'Z' ? 1 : 0); i < order; ++i) {
      if (held(random)) {
        rows.push_back(std::to_string(i + 1));
        for (int part = 0; part < (field == 'C' ? 2 : 1) && field != 'P'; ++part) {
          const double value = std::ldexp(static_cast<double>(random()) - 2e9, static_cast<int>(random() % 60) - 60);
          values.push_back(field == 'I' ? std::to_string(random() % 1000) : fmt::format("{:.15E}", value));
        }
      }
    }
    offsets.push_back(std::to_string(rows.size() + 1));
  }
  const std::string type = std::string(1, field) + symmetry + 'A';
  const std::string line_end = random() % 2 == 0 ? "\r\n" : "\n";
  std::string text = "drawn" + line_end + " 9 3 3 3 0" + line_end + fmt::format("{} {} {} {} 0", type, order, order, rows.size());
  text += line_end + fmt::format("{:<16}{:<16}{:<20}", "(8I10)", "(10I8)", field == 'I' ? "(6I12)" : "(3E26.15)") + line_end;
  text += lines_of(offsets, 8, 10, line_end) + lines_of(rows, 10, 8, line_end);
  text += lines_of(values, field == 'I' ? 6 : 3, field == 'I' ? 12 : 26, line_end);
  return {text, type};
}

template <class S>
void expect_the_same(const DrawnFile& file) {
  Scanner scanner(file.text, "f");
  const SparseMatrix<S> expected = compress(std::get<Triplets<S>>(read_harwell_boeing(scanner).matrix));
  Scanner behind_header(file.text, "f");
  const HarwellBoeingHeader header = read_harwell_boeing_header(behind_header);
  for (const int num_threads : {1, 2, 5}) {
    const auto matrix = read_plain_columns<S>(behind_header.rest(), header, num_threads);
    ASSERT_TRUE(matrix.has_value()) << file.type;
    EXPECT_EQ(matrix->column_offsets, expected.column_offsets) << file.type;
    EXPECT_EQ(matrix->row_indices, expected.row_indices) << file.type;
    EXPECT_EQ(matrix->values, expected.values) << file.type;
    EXPECT_EQ(matrix->symmetry, expected.symmetry) << file.type;
  }
}

TEST(PlainColumns, are_what_one_thread_reads) {
  std::mt19937 random(8);
  for (const Index order : {1, 2, 9, 400}) {
    for (const char symmetry : {'U', 'S', 'Z'}) {
      expect_the_same<double>(drawn(random, 'R', symmetry, order, 0.3));
      expect_the_same<double>(drawn(random, 'I', symmetry, order, 0.3));
      expect_the_same<std::complex<double>>(drawn(random, 'C', symmetry, order, 0.3));
    }
    expect_the_same<double>(drawn(random, 'P', 'S', order, 0.3));
  }
  expect_the_same<double>(drawn(random, 'R', 'U', 5, 0));
}

// Returns the header of a square matrix whose lines have `repeat` fields of `width` characters.
HarwellBoeingHeader header_of(Index order, std::int64_t num_entries, std::size_t repeat, std::size_t width) {
  HarwellBoeingHeader header;
  header.num_rows = header.num_cols = order;
  header.num_entries = num_entries;
  header.offsets_format = header.rows_format = {.repeat = repeat, .width = width, .is_integer = true};
  header.values_format = {.repeat = repeat, .width = width};
  return header;
}

// A format may promise a thousand numbers per line: short lines must not make the reader allocate memory for these.
TEST(PlainColumns, are_nothing_where_lines_are_shorter_than_what_they_promise) {
  const std::string text = lines_of(std::vector<std::string>(300, "1"), 1, 1, "\n");
  EXPECT_FALSE(read_plain_columns<double>(text, header_of(99999, 100000, 1000, 1000), 2).has_value());
}

TEST(PlainColumns, are_nothing_where_an_offset_is_larger_than_64_bits_hold) {
  for (const char* offset : {"18446744073709551617", "9223372036854775808", "-9223372036854775808", "-1"}) {
    EXPECT_FALSE(read_plain_columns<double>(fmt::format("1\n{}\n1\n1.5\n", offset), header_of(1, 1, 1, 20), 1).has_value())
        << offset;
  }
}

// Each changed byte makes another matrix or none: if several threads read it, they read the same as one.
TEST(PlainColumns, are_nothing_where_one_thread_finds_a_fault) {
  std::mt19937 random(9);
  const DrawnFile file = drawn(random, 'R', 'S', 6, 0.6);
  Scanner behind(file.text, "f");
  (void)read_harwell_boeing_header(behind);
  // A letter before the first number belongs to the header.
  const std::size_t begin = file.text.find_first_not_of(' ', file.text.size() - behind.rest().size()) + 1;
  int num_plain = 0;
  for (std::size_t k = begin; k < file.text.size(); ++k) {
    for (const char c : {'x', ' ', '0', '9', '-', '\n'}) {
      DrawnFile changed = file;
      changed.text[k] = c;
      Scanner behind_header(changed.text, "f");
      const HarwellBoeingHeader header = read_harwell_boeing_header(behind_header);
      if (read_plain_columns<double>(behind_header.rest(), header, 2)) {
        ++num_plain;
        expect_the_same<double>(changed);
      }
    }
  }
  EXPECT_GT(num_plain, 100);
}

}  // namespace
}  // namespace frond
