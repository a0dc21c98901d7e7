// SPDX-License-Identifier: BSD-3-Clause
// Tests which deviations from the formats are tolerated, and the notes about them.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <fstream>
#include <string>
#include <utility>

#include "frond/error.hpp"
#include "matrices/files/matrix_file.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/read_text.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

class Tolerated : public ::testing::Test {
 protected:
  MatrixFile read(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return read_matrix_file(path_);
  }
  static SparseMatrix<double> real(const MatrixFile& file) { return std::get<SparseMatrix<double>>(file.matrix); }

 private:
  testing::ScratchFolder folder_;
  std::string path_ = folder_.path("a.mtx");
};

const std::string kBanner = "%%MatrixMarket matrix coordinate real general\n";
const std::string kBody = "1 1 1\n1 1 2.5\n";

TEST_F(Tolerated, is_nothing_in_a_right_file) { EXPECT_THAT(read(kBanner + kBody).notes, IsEmpty()); }

TEST_F(Tolerated, is_a_byte_order_mark) {
  const MatrixFile file = read("\xef\xbb\xbf" + kBanner + kBody);
  EXPECT_THAT(real(file).values, ElementsAre(2.5));
  EXPECT_THAT(file.notes, ElementsAre(HasSubstr("a.mtx: the file begins with a byte-order mark")));
}

TEST_F(Tolerated, are_blanks_and_blank_lines_before_the_banner) {
  for (std::string content : {" ", "\n", "\r\n\t \n"}) {
    const MatrixFile file = read(content.append(kBanner).append(kBody));
    EXPECT_THAT(real(file).values, ElementsAre(2.5));
    EXPECT_THAT(file.notes, ElementsAre(HasSubstr("blank lines stand before the banner")));
  }
  testing::expect_error<InputError>("f:5: the value 'x'", [] { (void)read_real(fmt::format("\n\n{}1 1 1\n1 1 x\n", kBanner)); });
}

// Entry (1, 2) is read as (2, 1), with the value that the symmetry gives.
TEST_F(Tolerated, is_the_upper_triangle_of_a_symmetric_file) {
  for (const auto& [symmetry, mirrored] : {std::pair("symmetric", 3.0), std::pair("skew-symmetric", -3.0)}) {
    const MatrixFile file = read(fmt::format("%%MatrixMarket matrix coordinate real {}\n3 3 1\n1 2 3\n", symmetry));
    EXPECT_THAT(real(file).row_indices, ElementsAre(1));
    EXPECT_THAT(real(file).column_offsets, ElementsAre(0, 1, 1, 1));
    EXPECT_THAT(real(file).values, ElementsAre(mirrored));
    EXPECT_THAT(file.notes, ElementsAre(HasSubstr("upper triangle")));
  }
  const MatrixFile hermitian = read("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n1 2 3 4\n");
  EXPECT_THAT(std::get<SparseMatrix<std::complex<double>>>(hermitian.matrix).values,
              ElementsAre(std::complex<double>(1, 0), std::complex<double>(3, -4)));
  const MatrixFile columns = read(
      "upper                                                                   key\n"
      "             3             1             1             1\n"
      "RSA                        2             2             2             0\n"
      "(16I4)          (16I4)          (4E10.3)\n"
      "   1   2   3\n   1   1\n       1.0       5.0\n");
  EXPECT_THAT(real(columns).row_indices, ElementsAre(0, 1));
  EXPECT_THAT(real(columns).values, ElementsAre(1, 5));
}

TEST_F(Tolerated, are_lines_that_end_as_on_old_macintoshes) {
  std::string text = kBanner + "% a comment\n2 2 2\n1 1 1.5\n2 2 2.5\n";
  std::replace(text.begin(), text.end(), '\n', '\r');
  EXPECT_THAT(real(read(text)).values, ElementsAre(1.5, 2.5));
  std::string vector = "%%MatrixMarket matrix array real general\r2 1\r3\r4\r";
  EXPECT_THAT(std::get<DenseMatrix<double>>(read_dense_from_memory(vector, "b")).values, ElementsAre(3, 4));
}

TEST_F(Tolerated, are_blanks_within_the_banner) {
  const MatrixFile file = read("%% MatrixMarket matrix coordinate real general\n" + kBody);
  EXPECT_THAT(real(file).values, ElementsAre(2.5));
  EXPECT_THAT(file.notes, ElementsAre(HasSubstr("blanks stand within the banner word")));
}

TEST_F(Tolerated, are_unsigned_integers) {
  const MatrixFile file = read("%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 7\n");
  EXPECT_THAT(real(file).values, ElementsAre(7));
  EXPECT_THAT(file.notes, ElementsAre(HasSubstr("unsigned-integer")));
  testing::expect_error<InputError>(
      "no integer", [] { (void)read_real("%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 .5\n"); });
}

TEST_F(Tolerated, are_exponents_without_their_letter) {
  const MatrixFile file = read(kBanner + "2 2 3\n1 1 0.12345-100\n2 1 -1.5+3\n2 2 .5-400\n");
  EXPECT_THAT(real(file).values, ElementsAre(0.12345e-100, -1.5e3, 0));
  EXPECT_THAT(file.notes, ElementsAre(HasSubstr("without their letter")));
  for (const std::string number : {"5-100", "0.5-", "0.5e1-2", "0.5+-3", "0.5-1x"}) {
    EXPECT_THAT([&] { static_cast<void>(read_real(fmt::format("{}1 1 1\n1 1 {}\n", kBanner, number))); },
                ThrowsMessage<InputError>(HasSubstr("is not a number")))
        << number;
  }
}

TEST_F(Tolerated, are_vectors) {
  for (const std::string text : {"vector array real general\n3\n1\n2\n3\n", "vector array real\n3\n1\n2\n3\n",
                                 "vector coordinate real general\n3 3\n1 1\n3 3\n2 2\n"}) {
    const MatrixFile file = read("%%MatrixMarket " + text);
    EXPECT_THAT(real(file).values, ElementsAre(1, 2, 3));
    EXPECT_EQ(real(file).num_rows, 3);
    EXPECT_EQ(real(file).num_cols, 1);
    EXPECT_THAT(file.notes, ElementsAre(HasSubstr("the file holds a vector")));
    EXPECT_THAT(std::get<DenseMatrix<double>>(read_dense_from_memory("%%MatrixMarket " + text, "f")).values, ElementsAre(1, 2, 3));
  }
  testing::expect_error<InputError>("a vector has no symmetry",
                                    [] { (void)read_real("%%MatrixMarket vector array real symmetric\n1\n1\n"); });
  testing::expect_error<InputError>("'rows' is expected",
                                    [] { (void)read_real("%%MatrixMarket vector array real general\n3 1\n1\n2\n3\n"); });
}

// SciPy 1.10 writes fields of 24 characters, though the format says 25.
TEST_F(Tolerated, are_numbers_beside_their_columns) {
  const std::string header =
      "Default title                                                           0       \n"
      "             3             1             1             1\n"
      "RUA                        2             2             3             0\n"
      "(10I8)          (11I7)          (3E25.16)           \n"
      "       1       3       4\n      1      2      2\n";
  const MatrixFile file = read(header + " -2.7559729881345835E-02  7.5043690671019969E-01 -1.4684196491958079E+00\n");
  EXPECT_THAT(real(file).values, ElementsAre(-2.7559729881345835E-02, 7.5043690671019969E-01, -1.4684196491958079E+00));
  EXPECT_THAT(file.notes, ElementsAre(HasSubstr("SciPy's hb_write")));
  // Adjacent numbers are separated by their columns.
  const MatrixFile touching = read(header + " -2.7559729881345835E-002-7.50436906710199690E-001  -1.4684196491958079E+00\n");
  EXPECT_THAT(real(touching).values, ElementsAre(-2.7559729881345835E-02, -7.5043690671019969E-01, -1.4684196491958079E+00));
  EXPECT_THAT(touching.notes, IsEmpty());
  EXPECT_THROW(static_cast<void>(read(header + " -2.7559729881345835E-02  7.5043690671019969E-01\n")), InputError);
}

TEST(ForeignFile, is_answered_with_a_conversion) {
  const auto refusal = [](const std::string& text) -> std::string {
    return testing::complaint_of<InputError>([&] { static_cast<void>(read_matrix_from_memory(text, "f")); });
  };
  EXPECT_THAT(refusal("\x89HDF\r\n\x1a\n"), HasSubstr("HDF5"));
  EXPECT_THAT(refusal("MATLAB 5.0 MAT-file, Platform: GLNXA64"), HasSubstr("scipy.io.loadmat"));
  EXPECT_THAT(refusal(std::string("\x93NUMPY\x01\x00", 8)), HasSubstr("numpy.load"));
  EXPECT_THAT(refusal("\x80\x04\x95 pickled"), HasSubstr("pickle.load"));
  EXPECT_THAT(refusal(std::string("\0\x12\x7b\x50\0\0\0\1", 8)), HasSubstr("PetscBinaryIO"));
  EXPECT_THAT(refusal(std::string("\xff\xfe%\0%\0", 6)), HasSubstr("iconv -f UTF-16"));
  EXPECT_THAT(refusal(std::string("\x01\x02\x03\0", 4)), HasSubstr("scipy.io.mmwrite"));
}

}  // namespace
}  // namespace frond
