// SPDX-License-Identifier: BSD-3-Clause
// Tests right-hand sides from files and from solutions.
#include "tools/program/solve/right_hand_sides.hpp"

#include <gtest/gtest.h>

#include <complex>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

using Complex = std::complex<double>;

TEST(MakeRightHandSides, MultipliesASolutionBetweenOneAndTwo) {
  const auto matrix = compress(Triplets<double>{2, 2, Symmetry::general, {0, 0, 1}, {0, 1, 1}, {2, 1, 4}});
  const auto sides = make_right_hand_sides<double>(matrix.view(), Operation::transposed, 3, 5);
  ASSERT_TRUE(sides.exact.has_value());
  for (const double value : sides.exact->values) {
    EXPECT_GE(value, 1);
    EXPECT_LT(value, 2);
  }
  EXPECT_DOUBLE_EQ(sides.b(1, 2), (*sides.exact)(0, 2) + 4 * (*sides.exact)(1, 2));
  EXPECT_EQ(make_right_hand_sides<double>(matrix.view(), Operation::transposed, 3, 5).b.values, sides.b.values);
  EXPECT_NE(make_right_hand_sides<double>(matrix.view(), Operation::transposed, 3, 6).b.values, sides.b.values);
}

TEST(ReadRightHandSides, SplitsComplexColumnsForARealMatrix) {
  const testing::ScratchFolder folder;
  const std::string path = folder.write("b.mtx", "%%MatrixMarket matrix array complex general\n2 1\n1 10\n2 20\n");
  auto sides = read_right_hand_sides<double>(path, 2);
  EXPECT_EQ(sides.b.num_cols, 2);
  EXPECT_EQ(sides.b.values, (std::vector<double>{1, 2, 10, 20}));
  const AnyDense joined = joined_solutions(std::move(sides.b), sides.has_complex_halves);
  EXPECT_EQ(std::get<DenseMatrix<Complex>>(joined).values, (std::vector<Complex>{{1, 10}, {2, 20}}));
}

TEST(ReadRightHandSides, WidensRealColumnsForAComplexMatrix) {
  const testing::ScratchFolder folder;
  const auto sides =
      read_right_hand_sides<Complex>(folder.write("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n"), 2);
  EXPECT_EQ(sides.b.values, (std::vector<Complex>{1, 2}));
}

TEST(ReadRightHandSides, RefusesAnotherNumberOfRows) {
  const testing::ScratchFolder folder;
  const std::string path = folder.write("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
  EXPECT_THROW((void)read_right_hand_sides<double>(path, 3), InputError);
}

}  // namespace
}  // namespace frond
