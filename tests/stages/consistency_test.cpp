// SPDX-License-Identifier: BSD-3-Clause
// Tests whether singular systems are found to have solutions, on systems for which the answer is known.
#include "solver/numerics/answers/consistency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "frond/matrix.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/sides_of_singular_systems.hpp"

namespace frond::stages {
namespace {

using testing::SidesOfSingularSystem;

template <class S>
void expect_known(const SidesOfSingularSystem<S>& sides, const StageOptions& options = {}) {
  SCOPED_TRACE(sides.name);
  DenseMatrix<S> x(sides.b.num_rows, sides.b.num_cols);
  const SolveReport report = factorize<S>(sides.matrix, options)->solve(sides.b, x, sides.operation);
  ASSERT_EQ(report.verdict, Verdict::singular);
  for (std::size_t j = 0; j < report.columns.size(); ++j) {
    EXPECT_EQ(report.columns[j].consistency_error <= report.target, sides.is_consistent[j])
        << "column " << j << ": " << report.columns[j].consistency_error;
  }
  EXPECT_EQ(report.num_met(), std::count(sides.is_consistent.begin(), sides.is_consistent.end(), true)) << report.describe();
}

template <class S>
class Consistency : public ::testing::Test {};
TYPED_TEST_SUITE(Consistency, test::Scalars);

TYPED_TEST(Consistency, IsKnownOfSmallSystems) {
  for (const auto& sides : testing::small_sides_of_singular_systems<TypeParam>()) {
    expect_known(sides);
  }
}

TYPED_TEST(Consistency, DoesNotDependOnUnits) {
  const auto all = testing::all_sides_of_singular_systems<TypeParam>();
  for (std::size_t k = 0; k < all.size(); k += all.size() / num_seeds(all.size())) {
    expect_known(all[k]);
  }
}

TYPED_TEST(Consistency, DoesNotDependOnHowOneScales) {
  for (const ScalingKind kind : {ScalingKind::none, ScalingKind::equilibrate, ScalingKind::matching}) {
    StageOptions options;
    options.solver.scaling = kind;
    for (const int largest : {0, kind == ScalingKind::none ? 0 : 25}) {
      expect_known(testing::sides_of_singular_system<TypeParam>(3, Symmetry::general, Operation::transposed, largest, 8), options);
    }
  }
}

// Has more null vectors and more columns than are solved together.
TEST(ConsistencyOfMany, VectorsAndColumns) {
  SidesOfSingularSystem<double> sides = testing::sides_of_singular_system<double>(1, Symmetry::symmetric, Operation::plain, 0, 4);
  Triplets<double> entries{300, 300, Symmetry::general};
  for (Index i = 0; i < 100; ++i) {
    for (const auto& [row, column] : {std::pair(i, i), std::pair(100 + i, i), std::pair(200 + i, 100 + i)}) {
      entries.add(row, column, std::ldexp(1.0, static_cast<int>(row % 50)));
    }
  }
  sides.name = "a hundred null pivots";
  sides.matrix = compress(std::move(entries));
  sides.b = DenseMatrix<double>(300, 130);
  sides.is_consistent.clear();
  for (Index j = 0; j < 130; ++j) {
    const bool is_consistent = j % 3 != 0;
    for (Index i = 0; i < 100; ++i) {
      sides.b(i, j) = std::ldexp(1.0, static_cast<int>(i % 50));
      sides.b(100 + i, j) = std::ldexp(is_consistent || i != j % 100 ? 1.0 : 1.001, static_cast<int>((100 + i) % 50));
    }
    sides.is_consistent.push_back(is_consistent);
  }
  expect_known(sides);
}

// The message shows the error that decided the verdict.
TEST(ConsistencyInWords, IsToldByItsOwnError) {
  const auto sides = testing::small_sides<double>("0 x = 1", {{1e15, 0}, {0, 0}}, {1e15, 1}, false);
  DenseMatrix<double> x(2, 1);
  const SolveReport report = factorize<double>(sides.matrix, {})->solve(sides.b, x);
  EXPECT_LE(report.worst().normwise_backward_error, 1e-15);
  EXPECT_EQ(report.worst().consistency_error, 1);
  EXPECT_NE(report.describe().find("; and not consistent: x leaves a backward error of 1.0e+00"), std::string::npos)
      << report.describe();
}

}  // namespace
}  // namespace frond::stages
