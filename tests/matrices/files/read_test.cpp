// SPDX-License-Identifier: BSD-3-Clause
// Tests files that cannot be read at all, and matrices that are read but not square.
#include "frond/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"

namespace frond {
namespace {

using ::testing::ThrowsMessage;

TEST(Read, a_missing_file_is_named) {
  EXPECT_THAT([] { static_cast<void>(read_matrix("/no/such/a.mtx")); },
              ThrowsMessage<InputError>("/no/such/a.mtx: the file cannot be opened: No such file or directory"));
  testing::expect_error<InputError>("/no/such/b.mtx", [] { (void)read_dense("/no/such/b.mtx"); });
}

TEST(Read, a_folder_is_no_file) {
  testing::expect_error<InputError>("the file cannot be read: Is a directory", [] { (void)read_matrix(::testing::TempDir()); });
}

TEST(Read, square_matrices_pass_and_others_do_not) {
  SparseMatrix<double> matrix;
  EXPECT_NO_THROW(require_square(matrix, "f"));
  matrix.num_rows = 3;
  matrix.num_cols = 2;
  EXPECT_THAT([&] { require_square(matrix, "f"); },
              ThrowsMessage<InputError>("f: the matrix is 3 by 2; only square systems can be factorized"));
}

}  // namespace
}  // namespace frond
