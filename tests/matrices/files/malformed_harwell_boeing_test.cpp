// SPDX-License-Identifier: BSD-3-Clause
// Tests the messages of the Harwell-Boeing and Rutherford-Boeing reader about malformed files.
#include "tests/support/matrices/malformed.hpp"

namespace frond {
namespace {

constexpr const char* kFormats = "(4I4)           (4I4)           (3E10.3)            \n";

/// Returns a file with a title, card counts without right-hand sides, the type and sizes of line 3, formats, and the columns.
std::string file(const std::string& type_and_sizes, const std::string& columns, const std::string& formats = kFormats) {
  return "title                                                                   key\n"
         "             3             1             1             1\n" +
         type_and_sizes + "\n" + formats + columns;
}

/// A general 2 by 2 matrix with the three entries (1,1), (2,1), (2,2).
std::string square(const std::string& columns) {
  return file("RUA                        2             2             3             0", columns);
}

const Malformed kHeaders[] = {
    {"header_ends_early", "title\n 3 1 1 1\nRUA            2             2             3\n", 3,
     "the format of the column pointers is ''"},
    {"card_count_is_a_word",
     "title\n three 1 1 1\nRUA            2             2             3             0\n" + std::string(kFormats), 2,
     "the number of lines in the header is 'three', which is not an integer"},
    {"unknown_field", file("XUA            2             2             3             0", ""), 3, "none of R (real), C (complex)"},
    {"unknown_symmetry", file("RQA            2             2             3             0", ""), 3,
     "none of U (unsymmetric), R (rectangular)"},
    {"short_type", file("RU             2             2             3             0", ""), 3,
     "the matrix type is 'RU' where three letters"},
    {"elemental", file("RSE            2             2             3             4", ""), 3,
     "the matrix type is 'RSE': only assembled matrices (third letter A) can be read"},
    {"negative_rows", file("RUA           -2             2             3             0", ""), 3,
     "the number of rows in the header is -2"},
    {"rows_beyond_32_bits", file("RUA   4000000000             2             3             0", ""), 3,
     "must lie between 0 and 2147483647"},
    {"sizes_end_early", file("RUA            2", ""), 3, "the header line ends before the number of columns"},
    {"symmetric_and_rectangular", file("RSA            2             3             3             0", ""), 3,
     "the type RSA means a square matrix, but the header says 2 by 3"},
    {"real_hermitian", file("RHA            2             2             3             0", ""), 3,
     "only a complex matrix can be hermitian"},
    {"skew_symmetric_pattern", file("PZA            2             2             3             0", ""), 3,
     "a pattern has no values"},
    {"unknown_format",
     file("RUA            2             2             3             0", "", "(A8)            (4I4)           (3E10.3)\n"), 4,
     "the format of the column pointers is '(A8)"},
    {"real_pointers",
     file("RUA            2             2             3             0", "", "(3E10.3)        (4I4)           (3E10.3)\n"), 4,
     "must be integer ones"},
    {"no_value_format", file("RUA            2             2             3             0", "", "(4I4)           (4I4)\n"), 4,
     "the format of the values is ''"},
    {"unannounced_right_hand_side", square("F              1             0\n   1   3   4\n"), 5,
     "'F              1             0' looks like a Harwell-Boeing line about right-hand sides"},
};

const Malformed kColumns[] = {
    {"pointers_from_zero", square("   0   2   3\n"), 5,
     "the first column pointer is 0; it must be 1: the file seems to count from 0"},
    {"first_pointer_wrong", square("   2   3   4\n"), 5, "the first column pointer is 2; it must be 1"},
    {"pointers_fall", file("RUA            2             3             3             0", "   1   3   2   4\n"), 5,
     "column pointer 3 is 2, less than the one before, 3"},
    {"pointer_too_large", square("   1   9   4\n"), 5, "column pointer 2 is 9, but the header announces 3 entries"},
    {"last_pointer_wrong", square("   1   2   3\n"), 5,
     "column pointer 3 is 3, but the header announces 3 entries, so the last pointer must be 4"},
    {"pointer_is_a_word", square("   1   x   4\n"), 5, "'x' in the column pointers is not an integer"},
    {"pointers_missing", square(""), 4, "the file ends after 0 of 3 column pointers"},
    {"astronomic_columns", file("RUA            2    2000000000             3             0", "   1   3   4\n"), 5,
     "the line holds 3 of the 4 numbers that its format means"},
    {"row_zero", square("   1   3   4\n   0   1   2\n"), 6, "the row index 0 is outside 1 .. 2"},
    {"row_too_large", square("   1   3   4\n   1   2   3\n"), 6, "the row index 3 is outside 1 .. 2"},
    {"rows_missing", square("   1   3   4\n"), 5, "the file ends after 0 of 3 row indices"},
    {"rows_on_a_short_line", square("   1   3   4\n   1   2\n       2\n"), 6, "the line holds 2 of the 4 numbers"},
    {"values_missing", square("   1   3   4\n   1   2   2\n"), 6, "the file ends after 0 of 3 values"},
    {"value_is_a_word", square("   1   3   4\n   1   2   2\n       1.0      oops       1.0\n"), 7,
     "'      oops' in the values is not a finite number"},
    {"value_nan", square("   1   3   4\n   1   2   2\n       1.0       NaN       1.0\n"), 7,
     "'       NaN' in the values is not a finite number"},
    {"value_overflows", square("   1   3   4\n   1   2   2\n       1.0    1.D400       1.0\n"), 7,
     "is larger than the largest double"},
    {"goes_on_behind_values", square("   1   3   4\n   1   2   2\n       1.0       1.0       1.0\n       1.0\n"), 8,
     "the file goes on after the last number of the matrix"},
    {"fraction_in_integer", file("IUA            1             1             1             0", "   1   2\n   1\n       1.5\n"), 7,
     "the value 1.5 is no integer"},
    {"both_triangles",
     file("RSA            2             2             3             0",
          "   1   3   4\n   1   2   1\n       1.0       1.0       1.0\n"),
     6, "1 entries are above it and 1 below"},
    {"diagonal_skew_symmetric",
     file("RZA            2             2             1             0", "   1   2   2\n   1\n       1.0\n"), 6,
     "entry (1, 1) is on the diagonal, which is zero in a skew-symmetric matrix"},
    {"imaginary_diagonal",
     file("CHA            1             1             1             0", "   1   2\n   1\n       1.0       2.0\n"), 7,
     "entry (1, 1) on the diagonal of a hermitian matrix has the imaginary part 2"},
};

class MalformedHarwellBoeing : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedHarwellBoeing, is_rejected) { expect_input_error(GetParam()); }

INSTANTIATE_TEST_SUITE_P(header, MalformedHarwellBoeing, ::testing::ValuesIn(kHeaders), name_of);
INSTANTIATE_TEST_SUITE_P(columns, MalformedHarwellBoeing, ::testing::ValuesIn(kColumns), name_of);

}  // namespace
}  // namespace frond
