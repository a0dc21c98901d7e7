// SPDX-License-Identifier: BSD-3-Clause
// Tests that written files read back exactly.
#include "frond/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "frond/error.hpp"
#include "matrices/generate.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/random_matrix.hpp"

namespace frond {
namespace {

using ::testing::ThrowsMessage;
using Complex = std::complex<double>;

class Write : public ::testing::Test {
 protected:
  ~Write() override { std::remove(path_.c_str()); }

  [[nodiscard]] std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

  template <class S>
  void expect_round_trip(const SparseMatrix<S>& matrix) const {
    write_matrix(path_, matrix);
    const auto read = std::get<SparseMatrix<S>>(read_matrix(path_));
    EXPECT_EQ(read.num_rows, matrix.num_rows);
    EXPECT_EQ(read.num_cols, matrix.num_cols);
    EXPECT_EQ(read.symmetry, matrix.symmetry);
    EXPECT_EQ(read.column_offsets, matrix.column_offsets);
    EXPECT_EQ(read.row_indices, matrix.row_indices);
    EXPECT_EQ(read.values, matrix.values);
  }

  const std::string path_ =
      ::testing::TempDir() + "frond_write_" + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".mtx";
};

TEST_F(Write, every_symmetry_and_scalar_reads_back_exactly) {
  std::mt19937 random(8);
  expect_round_trip(compress(random_triplets<double>(20, 30, 100, Symmetry::general, random)));
  expect_round_trip(compress(random_triplets<double>(20, 20, 100, Symmetry::symmetric, random)));
  expect_round_trip(compress(random_triplets<double>(20, 20, 100, Symmetry::skew_symmetric, random)));
  expect_round_trip(compress(random_triplets<Complex>(20, 20, 100, Symmetry::general, random)));
  expect_round_trip(compress(random_triplets<Complex>(20, 20, 100, Symmetry::symmetric, random)));
  expect_round_trip(compress(random_triplets<Complex>(20, 20, 100, Symmetry::skew_symmetric, random)));
  expect_round_trip(compress(random_triplets<Complex>(20, 20, 100, Symmetry::hermitian, random)));
}

TEST_F(Write, more_than_a_buffer_reads_back_exactly) {
  expect_round_trip(std::get<SparseMatrix<double>>(generate(ModelProblem::circuit, 50000, 1)));
}

TEST_F(Write, extreme_numbers_read_back_exactly) {
  using Limits = std::numeric_limits<double>;
  const std::vector<double> values = {Limits::max(), Limits::min(), Limits::denorm_min(), -0.0, 0.1,
                                      1.0 / 3.0,     1e22,          123456789012345678.0};
  Triplets<double> triplets{1, 8, Symmetry::general, std::vector<Index>(8, 0), {0, 1, 2, 3, 4, 5, 6, 7}, values};
  expect_round_trip(compress(std::move(triplets)));
}

TEST_F(Write, numbers_are_as_short_as_can_be) {
  write_matrix(path_, compress(Triplets<double>{2, 2, Symmetry::symmetric, {0, 1}, {0, 0}, {0.1, -1.0}}));
  EXPECT_EQ(content(), "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 0.1\n2 1 -1\n");
}

TEST_F(Write, a_real_hermitian_matrix_is_written_as_symmetric) {
  write_matrix(path_, compress(Triplets<double>{1, 1, Symmetry::hermitian, {0}, {0}, {2.0}}));
  EXPECT_EQ(content(), "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2\n");
}

TEST_F(Write, dense_matrices_read_back_exactly) {
  std::mt19937 random(9);
  DenseMatrix<Complex> complex(5, 3);
  complex.values = random_vector<Complex>(15, random);
  write_dense(path_, complex);
  EXPECT_EQ(std::get<DenseMatrix<Complex>>(read_dense(path_)).values, complex.values);
  DenseMatrix<double> real(2, 1);
  real.values = {1.5, -2.0};
  write_dense(path_, real);
  EXPECT_EQ(content(), "%%MatrixMarket matrix array real general\n2 1\n1.5\n-2\n");
}

TEST_F(Write, a_file_that_cannot_be_created_is_named) {
  EXPECT_THAT([] { write_matrix("/no/such/folder/a.mtx", SparseMatrix<double>()); },
              ThrowsMessage<OutputError>("/no/such/folder/a.mtx: the file cannot be created: No such file or directory"));
}

TEST_F(Write, a_full_disk_is_reported) {
  if (!std::ifstream("/dev/full")) {
    GTEST_SKIP() << "this system has no /dev/full";
  }
  EXPECT_THAT([] { write_matrix("/dev/full", SparseMatrix<double>()); },
              ThrowsMessage<OutputError>("/dev/full: the file cannot be written to its end: No space left on device"));
  testing::expect_error<OutputError>("/dev/full: the file cannot be written to its end: No space left on device",
                                     [] { write_matrix("/dev/full", generate(ModelProblem::laplacian2d5, 400, 1)); });
}

}  // namespace
}  // namespace frond
