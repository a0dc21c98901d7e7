// SPDX-License-Identifier: BSD-3-Clause
// Tests the messages of the Matrix Market reader about malformed files.
#include "tests/support/matrices/malformed.hpp"

namespace frond {
namespace {

std::string coordinate(const std::string& field_and_symmetry, const std::string& rest) {
  return "%%MatrixMarket matrix coordinate " + field_and_symmetry + "\n" + rest;
}

std::string array(const std::string& field_and_symmetry, const std::string& rest) {
  return "%%MatrixMarket matrix array " + field_and_symmetry + "\n" + rest;
}

std::string one_entry(const std::string& entry) { return coordinate("real general", "2 2 1\n" + entry + "\n"); }

const Malformed kBanners[] = {
    {"misspelt_banner", "%%MatrixMarkt matrix coordinate real general\n1 1 1\n1 1 1\n", 1, "instead of a banner such as"},
    {"banner_with_one_percent", "%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", 1, "instead of a banner such as"},
    {"comment_before_banner", "% A\n" + one_entry("1 1 1"), 2, "comments stand before the banner"},
    {"banner_of_one_word", "%%MatrixMarket\n1 1 1\n1 1 1\n", 1, "the object '' where 'matrix' or 'vector' is expected"},
    {"wrong_object", "%%MatrixMarket tensor coordinate real general\n", 1, "the object 'tensor' where 'matrix' or"},
    {"missing_format", "%%MatrixMarket matrix\n", 1, "ends before the format; write one of coordinate, array"},
    {"wrong_format", "%%MatrixMarket matrix coord real general\n", 1, "the format 'coord' of the banner is unknown"},
    {"missing_field", coordinate("general", "1 1 1\n1 1 1\n"), 1, "the field is missing in the banner before 'general'"},
    {"wrong_field", coordinate("double general", ""), 1, "the field 'double' of the banner is unknown; write one of real, complex"},
    {"missing_symmetry", coordinate("real", ""), 1, "ends before the symmetry; write one of general, symmetric"},
    {"wrong_symmetry", coordinate("real sym", ""), 1, "the symmetry 'sym' of the banner is unknown"},
    {"banner_too_long", coordinate("real general dense", ""), 1, "goes on with 'dense' after its five words"},
    {"pattern_array", array("pattern general", "1 1\n"), 1, "an array file cannot have the field pattern"},
    {"skew_symmetric_pattern", coordinate("pattern skew-symmetric", "1 1 0\n"), 1, "a pattern has no values that could be"},
    {"hermitian_pattern", coordinate("pattern hermitian", "1 1 0\n"), 1, "a pattern has no values that could be"},
    {"real_hermitian", coordinate("real hermitian", "1 1 0\n"), 1, "only a complex matrix can be hermitian; write symmetric"},
};

const Malformed kSizeLines[] = {
    {"no_size_line", coordinate("real general", "% only a comment\n"), 2, "the file ends before the size line"},
    {"size_line_without_entries", coordinate("real general", "2 2\n1 1 1\n"), 2, "ends before the number of entries"},
    {"size_line_too_long", coordinate("real general", "2 2 1 1\n1 1 1\n"), 2,
     "goes on with '1'; 'rows columns entries' is expected"},
    {"size_line_with_a_word", coordinate("real general", "two 2 1\n"), 2, "the number of rows in the size line is 'two'"},
    {"size_line_with_a_fraction", coordinate("real general", "2 2.5 1\n"), 2, "the number of columns in the size line is '2.5'"},
    {"negative_rows", coordinate("real general", "-2 2 1\n"), 2, "the number of rows in the size line is negative: -2"},
    {"negative_entries", coordinate("real general", "2 2 -1\n"), 2, "the number of entries in the size line is negative: -1"},
    {"rows_beyond_32_bits", coordinate("real general", "2147483648 1 1\n"), 2, "is '2147483648'; at most 2147483647 are supported"},
    {"columns_beyond_64_bits", coordinate("real general", "1 99999999999999999999 1\n"), 2,
     "'99999999999999999999'; at most 2147483647"},
    {"symmetric_and_rectangular", coordinate("real symmetric", "2 3 1\n1 1 1\n"), 2,
     "a symmetric matrix is square, but the size line says 2 by 3"},
    {"hermitian_and_rectangular", coordinate("complex hermitian", "3 2 1\n1 1 1 0\n"), 2, "a hermitian matrix is square"},
    {"array_size_line_too_long", array("real general", "1 1 1\n1\n"), 2, "goes on with '1'; 'rows columns' is expected"},
    {"rows_that_cannot_be_meant", coordinate("real general", "2000000000 1 1\n1 1 1\n"), 0,
     "promises 2000000000 rows, but the file has only 1 entries"},
    {"columns_that_cannot_be_meant", coordinate("real general", "1 2000000000 0\n"), 0,
     "promises 2000000000 columns, but the file has only 0"},
};

const Malformed kCounts[] = {
    {"too_few_entries", coordinate("real general", "2 2 2\n1 1 1\n"), 3,
     "the file ends after 1 of the 2 entries that the size line (line 2)"},
    {"astronomic_count", coordinate("real general", "2 2 1000000000000000\n1 1 1\n"), 3, "after 1 of the 1000000000000000 entries"},
    {"no_entries_at_all", coordinate("real general", "2 2 1"), 2, "the file ends after 0 of the 1 entries"},
    {"too_many_entries", coordinate("real general", "2 2 1\n1 1 1\n2 2 1\n1 2 1\n"), 4, "2 more lines follow the 1 entries"},
    {"comment_among_entries", coordinate("real general", "2 2 2\n1 1 1\n% half\n2 2 1\n"), 4, "a comment stands among the entries"},
    {"comment_instead_of_entries", coordinate("real general", "2 2 2\n1 1 1\n% sorry\n"), 4,
     "the file ends after 1 of the 2 entries"},
    {"comment_behind_entries", coordinate("real general", "2 2 1\n1 1 1\n% end\n"), 4, "a comment stands after the entries"},
    {"array_too_short", array("real general", "2 2\n1\n2\n3\n"), 5, "the file ends after 3 of the 4 entries"},
    {"array_too_long", array("real symmetric", "2 2\n1\n2\n3\n4\n"), 6, "1 more lines follow the 3 entries"},
    {"astronomic_array", array("real general", "2000000000 2000000000\n1\n"), 3, "after 1 of the 4000000000000000000 entries"},
    {"comment_in_array", array("real general", "2 1\n1\n% here\n2\n"), 4, "a comment stands among the entries"},
};

const Malformed kEntries[] = {
    {"row_zero", one_entry("0 1 1"), 3, "the row index is 0, but indices start at 1; if the file counts from 0, add 1"},
    {"column_zero", one_entry("1 0 1"), 3, "the column index is 0, but indices start at 1; if the file counts from 0, add 1"},
    {"row_too_large", one_entry("3 1 1"), 3, "the row index 3 is outside 1 .. 2"},
    {"column_too_large", one_entry("1 3 1"), 3, "the column index 3 is outside 1 .. 2"},
    {"negative_row", one_entry("-1 1 1"), 3, "the row index -1 is outside 1 .. 2"},
    {"row_beyond_64_bits", one_entry("123456789012345678901234567890 1 1"), 3, "is outside 1 .. 2"},
    {"row_is_a_word", one_entry("one 1 1"), 3, "'one' is no row index: expected an integer from 1 to 2"},
    {"row_is_a_fraction", one_entry("1.5 1 1"), 3, "'1.5' is no row index"},
    {"column_missing", one_entry("1"), 3, "the column index is missing"},
    {"index_in_empty_matrix", coordinate("real general", "0 0 1\n1 1 1\n"), 3,
     "the matrix has no rows, so it cannot have the entry"},
    {"value_missing", one_entry("1 1"), 3, "the value of the entry is missing"},
    {"imaginary_part_missing", coordinate("complex general", "1 1 1\n1 1 2.5\n"), 3, "the imaginary part of the entry is missing"},
    {"real_part_missing", coordinate("complex general", "1 1 1\n1 1\n"), 3, "the real part of the entry is missing"},
    {"value_is_a_word", one_entry("1 1 garbage"), 3, "the value 'garbage' is not a number"},
    {"value_with_a_tail", one_entry("1 1 1.0x"), 3, "the value '1.0x' is not a number"},
    {"value_with_two_signs", one_entry("1 1 +-1"), 3, "the value '+-1' is not a number"},
    {"value_with_a_comma", one_entry("1 1 1,5"), 3, "the value '1,5' is not a number"},
    {"value_in_hexadecimal", one_entry("1 1 0x10"), 3, "the value '0x10' is not a number"},
    {"value_without_digits", one_entry("1 1 -"), 3, "the value '-' is not a number"},
    {"value_without_exponent_digits", one_entry("1 1 1e"), 3, "the value '1e' is not a number"},
    {"value_nan", one_entry("1 1 NaN"), 3, "the value is 'NaN'; every entry must be a finite number"},
    {"value_infinite", one_entry("1 1 -inf"), 3, "the value is '-inf'; every entry must be a finite number"},
    {"value_overflows", one_entry("1 1 1e400"), 3, "the value '1e400' is larger than the largest double"},
    {"value_overflows_in_fortran", one_entry("1 1 1.0D+400"), 3, "the value '1.0D+400' is larger than the largest double"},
    {"value_overflows_by_digits", one_entry("1 1 1" + std::string(400, '0')), 3, "is larger than the largest double"},
    {"imaginary_part_nan", coordinate("complex general", "1 1 1\n1 1 0 nan\n"), 3, "the imaginary part is 'nan'"},
    {"unprintable_value", one_entry("1 1 \x7f\xff"), 3, "the value '?\?' is not a number"},
    {"second_value", one_entry("1 1 1.0 2.0"), 3, "the line goes on with '2.0' after the entry"},
    {"comment_behind_value", one_entry("1 1 1.0 % big"), 3, "the line goes on with '%' after the entry"},
    {"value_in_pattern", coordinate("pattern general", "2 2 1\n1 1 1\n"), 3,
     "the entry has the value '1' although the banner says pattern"},
    {"fraction_in_integer", coordinate("integer general", "2 2 1\n1 1 1.5\n"), 3, "the value 1.5 is no integer"},
    {"sum_overflows", coordinate("real general", "2 2 2\n1 1 1e308\n1 1 1e308\n"), 0, "add up to more than the largest double"},
    {"array_value_is_a_word", array("real general", "1 1\nx\n"), 3, "the value 'x' is not a number"},
    {"array_with_two_values_on_a_line", array("real general", "2 1\n1 2\n"), 3, "the line goes on with '2' after the entry"},
};

const Malformed kTriangles[] = {
    {"both_triangles", coordinate("real symmetric", "2 2 3\n1 1 1\n2 1 1\n1 2 1\n"), 5,
     "1 entries are above it and 1 below: if both triangles are stored, declare the matrix general or drop"},
    {"both_triangles_hermitian", coordinate("complex hermitian", "2 2 2\n2 1 1 1\n1 2 1 -1\n"), 4,
     "1 entries are above it and 1 below"},
    {"diagonal_skew_symmetric", coordinate("real skew-symmetric", "2 2 1\n2 2 0\n"), 3,
     "entry (2, 2) is on the diagonal, which is zero in a skew-symmetric matrix"},
    {"imaginary_diagonal", coordinate("complex hermitian", "2 2 1\n2 2 1 0.5\n"), 3,
     "entry (2, 2) on the diagonal of a hermitian matrix has the imaginary part 0.5"},
    {"imaginary_diagonal_in_array", array("complex hermitian", "1 1\n1 -1\n"), 3,
     "entry (1, 1) on the diagonal of a hermitian matrix has the imaginary part -1"},
};

const Malformed kForeignFiles[] = {
    {"empty_file", "", 0, "the file is empty"},
    {"blank_file", " \r\n\t\n", 0, "the file holds nothing but blanks"},
    {"prose", "These are\nmatrices.\n", 1, "this is text but no matrix: it begins with 'These are'; Matrix Market"},
    {"nothing_but_comments", "% a comment\n% another\n", 1, "the file begins with '% a comment' instead of a banner"},
    {"one_number", "1\n", 1, "the file begins with '1' and has no banner that says what its numbers are"},
    {"dense_numbers", "2 2\n1.5 2\n3 4\n", 1, "the file begins with '2 2' and has no banner"},
    {"triplets", "0 0 1.5\n1 1 2.5\n", 1,
     "a list of triplets that begins with '0 0 1.5'; to make it a Matrix Market file put before it the lines '%%MatrixMarket "
     "matrix "
     "coordinate real general' and 'rows columns entries'"},
    {"triplets_with_header", "2 2 2 0\n1 1 1.5\n2 2 2.5\n", 1,
     "a list of triplets with the header '2 2 2 0'; to make it a Matrix Market file replace its header by the lines "
     "'%%MatrixMarket "
     "matrix coordinate real general' and '2 2 2'"},
    {"triplets_with_header_of_equal_length", "2 2 2\n1 1 1\n2 2 2\n", 1, "with the header '2 2 2'"},
    {"pattern_triplets", "2 2 2 -1\n1 1\n2 2\n", 1, "'%%MatrixMarket matrix coordinate pattern symmetric'"},
    {"complex_upper_triplets", "% CHOLMOD\n2 2 2 1\n1 1 1.5 0\n1 2 2.5 0\n", 2,
     "'%%MatrixMarket matrix coordinate complex hermitian' and '2 2 2' and exchange row and column of every entry"},
    {"empty_tar_archive", "matrix/matrix.rb" + std::string(241, '\0') + "ustar" + std::string(300, '\0'), 0,
     "the compressed data are cut or damaged"},
    {"binary_file", std::string("MATLAB 5.0\0\1\2", 13), 0, "this is a binary file, not a matrix in text form"},
};

class MalformedMatrixMarket : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedMatrixMarket, is_rejected) { expect_input_error(GetParam()); }

INSTANTIATE_TEST_SUITE_P(banner, MalformedMatrixMarket, ::testing::ValuesIn(kBanners), name_of);
INSTANTIATE_TEST_SUITE_P(size_line, MalformedMatrixMarket, ::testing::ValuesIn(kSizeLines), name_of);
INSTANTIATE_TEST_SUITE_P(count, MalformedMatrixMarket, ::testing::ValuesIn(kCounts), name_of);
INSTANTIATE_TEST_SUITE_P(entry, MalformedMatrixMarket, ::testing::ValuesIn(kEntries), name_of);
INSTANTIATE_TEST_SUITE_P(triangle, MalformedMatrixMarket, ::testing::ValuesIn(kTriangles), name_of);
INSTANTIATE_TEST_SUITE_P(foreign_file, MalformedMatrixMarket, ::testing::ValuesIn(kForeignFiles), name_of);

}  // namespace
}  // namespace frond
