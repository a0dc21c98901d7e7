// SPDX-License-Identifier: BSD-3-Clause
// Tests reading plain bodies by several threads against the reader with one.
#include "matrices/files/plain_entries.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <random>
#include <string>
#include <vector>

namespace frond {
namespace {

MatrixMarketHeader header_of(std::string_view text, std::string_view& body) {
  Scanner scanner(text, "f");
  const MatrixMarketHeader header = read_matrix_market_header(scanner);
  body = scanner.rest();
  return header;
}

// Draws numbers as programs write them, short and long, with every kind of exponent.
std::string drawn_number(std::mt19937& random) {
  const double value = std::ldexp(static_cast<double>(random()) - 2e9, static_cast<int>(random() % 200) - 100);
  switch (random() % 6) {
    case 0:
      return std::to_string(static_cast<int>(random() % 2000) - 1000);
    case 1:
      return fmt::format("{:.3f}", static_cast<double>(random() % 100000) / 1000 - 50);
    case 2:
      return fmt::format("{:.17g}", value);
    case 3:
      return fmt::format("{:+.16E}", value);
    case 4:
      return fmt::format("{:.6e}", value);
    default:
      return fmt::format("-.{}", random() % 1000000000000);
  }
}

std::string drawn_file(std::mt19937& random, const std::string& field, const std::string& symmetry, Index order, int num_entries) {
  std::string text =
      fmt::format("%%MatrixMarket matrix coordinate {} {}\n% drawn\n{} {} {}\n", field, symmetry, order, order, num_entries);
  const std::string line_end = random() % 2 == 0 ? "\r\n" : " \t\n";
  for (int k = 0; k < num_entries; ++k) {
    auto row = static_cast<Index>(random() % static_cast<unsigned>(order));
    auto col = static_cast<Index>(random() % static_cast<unsigned>(order - 1));
    if (symmetry != "general" && row <= col) {
      row = col + 1;
    }
    text += fmt::format("{} \t{}", row + 1, col + 1);
    const int num_values = field == "pattern" ? 0 : (field == "complex" ? 2 : 1);
    for (int value = 0; value < num_values; ++value) {
      text += " " + (field == "integer" ? std::to_string(random() % 100) : drawn_number(random));
    }
    text += line_end;
  }
  return text + (random() % 2 == 0 ? "\n  \n" : "");
}

template <class S>
void expect_the_same(const std::string& text) {
  std::string_view body;
  const MatrixMarketHeader header = header_of(text, body);
  Scanner scanner(body, "f");
  const Triplets<S> expected = read_coordinate_body<S>(scanner, header);
  for (const int num_threads : {1, 2, 5}) {
    const auto read = read_plain_entries<S>(body, header, num_threads);
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(std::equal(read->rows.begin(), read->rows.end(), expected.rows.begin(), expected.rows.end()));
    EXPECT_TRUE(std::equal(read->cols.begin(), read->cols.end(), expected.cols.begin(), expected.cols.end()));
    EXPECT_TRUE(std::equal(read->values.begin(), read->values.end(), expected.values.begin(), expected.values.end()));
    EXPECT_EQ(read->symmetry, header.symmetry);
  }
}

TEST(PlainEntries, are_what_one_thread_reads) {
  std::mt19937 random(5);
  for (const std::string symmetry : {"general", "symmetric", "skew-symmetric"}) {
    for (const int num_entries : {0, 1, 7, 60000}) {
      expect_the_same<double>(drawn_file(random, "real", symmetry, 50, num_entries));
      expect_the_same<double>(drawn_file(random, "integer", symmetry, 900, num_entries));
      expect_the_same<std::complex<double>>(drawn_file(random, "complex", symmetry, 20, num_entries));
    }
  }
  expect_the_same<double>(drawn_file(random, "pattern", "symmetric", 20, 3000));
  expect_the_same<std::complex<double>>(drawn_file(random, "complex", "hermitian", 20, 3000));
}

TEST(PlainEntries, are_not_what_needs_an_explanation) {
  const std::string general = "%%MatrixMarket matrix coordinate real general\n3 3 2\n";
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n";
  for (const std::string& text : std::vector<std::string>{
           general + "1 1 1\n", general + "1 1 1\n2 2 2\n3 3 3\n", general + "1 1 1\n\n2 2 2\n", general + "1 1 1\n% no\n",
           general + "0 1 1\n2 2 2\n", general + "1 4 1\n2 2 2\n", general + "1 1 nan\n2 2 2\n", general + "1 1 1e999\n2 2 2\n",
           general + "1 1\n2 2 2\n", general + "1 1 1 1\n2 2 2\n", general + "1 1 1x\n2 2 2\n", general + "1 1 .5-100\n2 2 2\n",
           general + "1 1 .\n2 2 2\n", general + "99999999999999999999 1 1\n2 2 2\n", general + "1.5 1 1\n2 2 2\n",
           symmetric + "1 2 1\n2 2 2\n", "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n1 1 1\n",
           "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 1 1.5\n",
           "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 1 1\n"}) {
    std::string_view body;
    const MatrixMarketHeader header = header_of(text, body);
    EXPECT_FALSE(read_plain_entries<double>(body, header, 2).has_value()) << text;
  }
  const std::string hermitian = "%%MatrixMarket matrix coordinate complex hermitian\n3 3 1\n1 1 1 1\n";
  std::string_view body;
  const MatrixMarketHeader header = header_of(hermitian, body);
  EXPECT_FALSE(read_plain_entries<std::complex<double>>(body, header, 2).has_value());
}

TEST(PlainArray, is_what_one_thread_reads) {
  std::mt19937 random(6);
  std::string text = "%%MatrixMarket matrix array real general\n300 40\n";
  for (int k = 0; k < 12000; ++k) {
    text += drawn_number(random) + "\n";
  }
  std::string_view body;
  const MatrixMarketHeader header = header_of(text, body);
  Scanner scanner(body, "f");
  const std::vector<double> expected = read_array_body<double>(scanner, header).values;
  for (const int num_threads : {1, 3}) {
    const auto read = read_plain_array<double>(body, header, num_threads);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->values, expected);
    EXPECT_EQ(read->num_cols, 40);
  }
  EXPECT_FALSE(read_plain_array<double>(std::string(body) + "7\n", header, 2).has_value());
}

}  // namespace
}  // namespace frond
