// SPDX-License-Identifier: BSD-3-Clause
// Tests well-formed Harwell-Boeing and Rutherford-Boeing files of every kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <string>

#include "frond/error.hpp"
#include "matrices/files/matrix_file.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/read_text.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Complex = std::complex<double>;

TEST(HarwellBoeing, real_unsymmetric_with_fields_that_touch) {
  const SparseMatrix<double> matrix = read_real(
      "1a small matrix                                                         SMALL   \r\n"
      "             3             1             1             1             0\r\n"
      "RUA                        2             2             3             0\r\n"
      "(16I5)          (16I5)          (1P,4D12.5)         \r\n"
      "    1    3    4\r\n"
      "    1    2    2\r\n"
      " 1.50000D+00-2.50000D-01 3.00000D+02\r\n");
  EXPECT_EQ(matrix.symmetry, Symmetry::general);
  EXPECT_THAT(matrix.column_offsets, ElementsAre(0, 2, 3));
  EXPECT_THAT(matrix.row_indices, ElementsAre(0, 1, 1));
  EXPECT_THAT(matrix.values, ElementsAre(1.5, -0.25, 300));
}

constexpr const char* kWithSides =
    "with right-hand side                                                    RHS\n"
    "             5             1             1             1             1\n"
    "RSA                        1             1             1             0\n"
    "(I4)            (I4)            (E10.3)             (E10.3)\n";

TEST(HarwellBoeing, announced_right_hand_sides_are_read) {
  const testing::ScratchFolder folder;
  const std::string body = "   1\n   2\n   1\n      4.25\n       1.0\n       2.0\n";
  const std::string path = folder.write("A.rsa", kWithSides + ("F                          2             0\n" + body));
  const MatrixFile file = read_matrix_file(path);
  EXPECT_THAT(std::get<SparseMatrix<double>>(file.matrix).values, ElementsAre(4.25));
  ASSERT_TRUE(file.right_sides);
  EXPECT_EQ(std::get<DenseMatrix<double>>(*file.right_sides).num_cols, 2);
  EXPECT_THAT(std::get<DenseMatrix<double>>(*file.right_sides).values, ElementsAre(1, 2));
  EXPECT_THAT(std::get<DenseMatrix<double>>(read_dense(path)).values, ElementsAre(1, 2));
}

TEST(HarwellBoeing, a_matrix_is_never_taken_for_right_hand_sides) {
  const testing::ScratchFolder folder;
  const std::string path = folder.write(
      "A.rsa",
      kWithSides + std::string("M                          1             1\n   1\n   2\n   1\n      4.25\n   1\n       1.0\n"));
  const MatrixFile file = read_matrix_file(path);
  EXPECT_FALSE(file.right_sides);
  EXPECT_THAT(file.notes, ElementsAre(HasSubstr("not read: they are not stored in full")));
  testing::expect_error<InputError>("holds a matrix, and no right-hand sides", [&] { (void)read_dense(path); });
}

TEST(RutherfordBoeing, rectangular_integers_in_unsorted_columns_with_duplicates) {
  const SparseMatrix<double> matrix = read_real(
      "four counts only                                                       |1\n"
      "             3             1             1             1\n"
      "ira                        3             2             4             0\n"
      "(26I3)          (40I2)          (20I4)\n"
      "  1  4  5\n"
      " 3 1 3 2\n"
      "  30  10   5 -20\n");
  EXPECT_EQ(matrix.num_rows, 3);
  EXPECT_THAT(matrix.row_indices, ElementsAre(0, 2, 1));
  EXPECT_THAT(matrix.values, ElementsAre(10, 35, -20));
}

TEST(RutherfordBoeing, pattern) {
  const SparseMatrix<double> matrix = read_real(
      "a pattern                                                              |2\n"
      "             2             1             1             0\n"
      "psa                        2             2             2             0\n"
      "(26I3)          (26I3)\n"
      "  1  2  3\n"
      "  2  2\n");
  EXPECT_EQ(matrix.symmetry, Symmetry::symmetric);
  EXPECT_THAT(matrix.values, ElementsAre(1, 1));
}

TEST(RutherfordBoeing, complex_pairs_may_break_across_lines) {
  const std::string sizes = "                        2             2             2             0\n";
  const std::string columns = "   1   2   3\n   1   2\n       1.0       0.0       3.0\n       0.0\n";
  const std::string head = "complex                                                                |3\n 3 1 1 2\n";
  const SparseMatrix<Complex> matrix = read_complex(head + "cha" + sizes + "(4I4)           (4I4)           (3E10.3)\n" + columns);
  EXPECT_EQ(matrix.symmetry, Symmetry::hermitian);
  EXPECT_THAT(matrix.values, ElementsAre(Complex(1, 0), Complex(3, 0)));
}

TEST(RutherfordBoeing, skew_symmetric) {
  const SparseMatrix<double> matrix = read_real(
      "skew                                                                   |4\n"
      " 3 1 1 1\n"
      "rza                        2             2             1             0\n"
      "(4I4)           (4I4)           (3F10.3)\n"
      "   1   2   2\n   2\n      1250\n");
  EXPECT_EQ(matrix.symmetry, Symmetry::skew_symmetric);
  EXPECT_THAT(matrix.values, ElementsAre(1.25));
}

TEST(RutherfordBoeing, empty_matrix) {
  const SparseMatrix<double> matrix = read_real(
      "nothing                                                                |5\n"
      " 1 1 0 0\n"
      "rua                        0             0             0             0\n"
      "(4I4)           (4I4)           (3F10.3)\n"
      "   1\n");
  EXPECT_EQ(matrix.num_entries(), 0);
  EXPECT_EQ(matrix.num_cols, 0);
}

}  // namespace
}  // namespace frond
