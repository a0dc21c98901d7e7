// SPDX-License-Identifier: BSD-3-Clause
// Tests values rounded to single precision, and values outside its range.
#include "tools/program/solve/single_precision.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"

namespace frond {
namespace {

using Complex = std::complex<double>;

SparseMatrix<double> column_of(std::vector<double> values) {
  const auto n = static_cast<Index>(values.size());
  SparseMatrix<double> matrix{n, 1, Symmetry::general, {0, n}, {}, std::move(values)};
  for (Index i = 0; i < n; ++i) {
    matrix.row_indices.push_back(i);
  }
  return matrix;
}

TEST(SinglePrecision, RoundsToNearest) {
  std::vector<std::string> notes;
  const SparseMatrix<float> matrix = rounded<float>(column_of({0.1, -3.4028234e38, 0}), "A.mtx", notes);
  EXPECT_EQ(matrix.values, (std::vector<float>{0.1F, -3.4028234e38F, 0}));
  EXPECT_EQ(matrix.column_offsets, (std::vector<Count>{0, 3}));
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(widened(matrix).values, (std::vector<double>{static_cast<double>(0.1F), static_cast<double>(-3.4028234e38F), 0}));
}

TEST(SinglePrecision, LeavesDoublePrecisionAlone) {
  std::vector<std::string> notes;
  EXPECT_EQ(rounded<double>(column_of({0.1, 1e300, 1e-300}), "A.mtx", notes).values, (std::vector<double>{0.1, 1e300, 1e-300}));
  EXPECT_TRUE(notes.empty());
}

TEST(SinglePrecision, TellsOfEntriesThatAreTooSmall) {
  std::vector<std::string> notes;
  DenseMatrix<Complex> matrix(1, 3);
  matrix.values = {{1e-39, 1}, {1, -1e-300}, {1, 0}};
  const DenseMatrix<std::complex<float>> single = rounded<std::complex<float>>(matrix, "b.mtx", notes);
  EXPECT_EQ(single(0, 1), std::complex<float>(1, -0.0F));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].substr(0, 33), "2 entries of b.mtx lose digits, o");
}

TEST(SinglePrecision, NamesTheEntryThatIsTooLarge) {
  std::vector<std::string> notes;
  SparseMatrix<Complex> matrix{2, 3, Symmetry::general, {0, 1, 1, 3}, {1, 0, 1}, {1, {0, 1e39}, 2}};
  const auto error = testing::error_of<InputError>([&] { (void)rounded<std::complex<float>>(matrix, "A.mtx", notes); });
  EXPECT_EQ(std::string(error.what()).substr(0, 45), "A.mtx: the entry in row 1, column 3 is 1e+39 ");
  DenseMatrix<double> dense(2, 2);
  dense(0, 1) = -1e39;
  const auto of_side = testing::error_of<InputError>([&] { (void)rounded<float>(dense, "b.mtx", notes); });
  EXPECT_EQ(std::string(of_side.what()).substr(0, 45), "b.mtx: the entry in row 1, column 2 is 1e+39 ");
  EXPECT_TRUE(notes.empty());
}

// Readers accept these values, and the verdict reports them.
TEST(SinglePrecision, LetsWhatIsNotFinitePass) {
  std::vector<std::string> notes;
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rounded<float>(column_of({infinity}), "A.mtx", notes).values[0], std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace frond
