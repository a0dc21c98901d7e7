// SPDX-License-Identifier: BSD-3-Clause
// Tests well-formed Matrix Market files of every kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/read_text.hpp"

namespace frond {
namespace {

using ::testing::ElementsAre;
using Complex = std::complex<double>;

TEST(MatrixMarket, coordinate_real_general) {
  const SparseMatrix<double> matrix =
      read_real("%%MatrixMarket matrix coordinate real general\n% a comment\n\n2 3 3\n2 3 -1.5e0\n1 1 2\n\n2 1 .25\n");
  EXPECT_EQ(matrix.num_rows, 2);
  EXPECT_EQ(matrix.num_cols, 3);
  EXPECT_EQ(matrix.symmetry, Symmetry::general);
  EXPECT_THAT(matrix.column_offsets, ElementsAre(0, 2, 2, 3));
  EXPECT_THAT(matrix.row_indices, ElementsAre(0, 1, 1));
  EXPECT_THAT(matrix.values, ElementsAre(2, 0.25, -1.5));
}

TEST(MatrixMarket, any_case_crlf_tabs_and_no_last_newline) {
  const SparseMatrix<double> matrix =
      read_real("%%matrixMARKET Matrix COORDINATE Real Symmetric\r\n%\r\n\t2 2\t2 \r\n 1 1 1.0 \r\n\r\n2\t1\t+3");
  EXPECT_EQ(matrix.symmetry, Symmetry::symmetric);
  EXPECT_THAT(matrix.values, ElementsAre(1, 3));
}

TEST(MatrixMarket, duplicates_are_summed_and_zeros_kept) {
  const SparseMatrix<double> matrix =
      read_real("%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n2 2 0\n1 1 2\n1 1 4\n");
  EXPECT_THAT(matrix.row_indices, ElementsAre(0, 1));
  EXPECT_THAT(matrix.values, ElementsAre(7, 0));
}

TEST(MatrixMarket, integers_and_patterns_become_real) {
  EXPECT_THAT(read_real("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -13\n").values, ElementsAre(-13));
  const SparseMatrix<double> pattern = read_real("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n");
  EXPECT_EQ(pattern.symmetry, Symmetry::symmetric);
  EXPECT_THAT(pattern.values, ElementsAre(1, 1));
}

TEST(MatrixMarket, complex_hermitian) {
  const SparseMatrix<Complex> matrix =
      read_complex("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 2 0\n2 1 1 -3\n");
  EXPECT_EQ(matrix.symmetry, Symmetry::hermitian);
  EXPECT_THAT(matrix.values, ElementsAre(Complex(2, 0), Complex(1, -3)));
}

TEST(MatrixMarket, array_goes_column_after_column) {
  const SparseMatrix<double> general = read_real("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n0\n5\n6\n");
  EXPECT_THAT(general.column_offsets, ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(general.values, ElementsAre(1, 2, 3, 0, 5, 6));
}

TEST(MatrixMarket, symmetric_arrays_hold_the_lower_triangle) {
  const SparseMatrix<double> symmetric = read_real("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n");
  EXPECT_THAT(symmetric.row_indices, ElementsAre(0, 1, 1));
  EXPECT_THAT(symmetric.values, ElementsAre(1, 2, 3));
  const SparseMatrix<double> skew = read_real("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
  EXPECT_THAT(skew.column_offsets, ElementsAre(0, 2, 3, 3));
  EXPECT_THAT(skew.row_indices, ElementsAre(1, 2, 2));
  EXPECT_THAT(read_complex("%%MatrixMarket matrix array complex hermitian\n1 1\n4 0\n").values, ElementsAre(Complex(4, 0)));
}

TEST(MatrixMarket, empty_matrices) {
  const SparseMatrix<double> matrix = read_real("%%MatrixMarket matrix coordinate real general\n3 0 0\n");
  EXPECT_EQ(matrix.num_rows, 3);
  EXPECT_THAT(matrix.column_offsets, ElementsAre(0));
  EXPECT_EQ(read_real("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").num_entries(), 0);
}

TEST(DenseMatrixMarket, array_and_coordinate) {
  const AnyDense array = read_dense_from_memory("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", "f");
  EXPECT_THAT(std::get<DenseMatrix<double>>(array).column(1), ElementsAre(3, 4));
  const AnyDense sparse =
      read_dense_from_memory("%%MatrixMarket matrix coordinate complex general\n3 1 2\n3 1 1 2\n3 1 1 0\n", "f");
  EXPECT_THAT(std::get<DenseMatrix<Complex>>(sparse).values, ElementsAre(Complex(), Complex(), Complex(2, 2)));
}

TEST(DenseMatrixMarket, symmetric_files_are_mirrored) {
  const AnyDense skew = read_dense_from_memory("%%MatrixMarket matrix array real skew-symmetric\n2 2\n3\n", "f");
  EXPECT_THAT(std::get<DenseMatrix<double>>(skew).values, ElementsAre(0, 3, -3, 0));
  const AnyDense hermitian = read_dense_from_memory("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1 2\n", "f");
  EXPECT_THAT(std::get<DenseMatrix<Complex>>(hermitian).values, ElementsAre(Complex(), Complex(1, 2), Complex(1, -2), Complex()));
}

TEST(DenseMatrixMarket, sizes_that_cannot_be_meant_are_refused) {
  const char* const text = "%%MatrixMarket matrix coordinate real general\n1000000 1000000 1\n1 1 1\n";
  testing::expect_error<InputError>("promises 1000000000000 dense entries, but the file has only 1",
                                    [&] { (void)read_dense_from_memory(text, "f"); });
}

}  // namespace
}  // namespace frond
