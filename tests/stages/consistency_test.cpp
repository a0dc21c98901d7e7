// SPDX-License-Identifier: BSD-3-Clause
// Tests whether singular systems are found to have solutions, on systems for which the answer is known.
#include "solver/numerics/answers/consistency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/scaled_apart.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {
namespace {

// op(A) X = B for a singular A.
template <class S>
struct SidesOfSingularSystem {
  std::string name;
  SparseMatrix<S> matrix;
  Operation operation = Operation::plain;
  DenseMatrix<S> b;
  std::vector<bool> is_consistent;  // [column]
};

// singular_matrix() with rows and columns multiplied by powers of 2 up to 2^+-largest. The unknowns of the first column are of one
// magnitude, those of the second of many; both are consistent. Then follows one column for each null pivot, in which only that
// pivot's equation is wrong, by at least 2^-5 of its own terms.
template <class S>
SidesOfSingularSystem<S> sides_of_singular_system(Index defect, Symmetry symmetry, Operation operation, int largest,
                                                  std::uint64_t seed) {
  constexpr Index kOrder = 40;
  constexpr int kSizes = std::is_same_v<RealOf<S>, double> ? 20 : 6;
  const SparseMatrix<S> matrix = singular_matrix<S>(kOrder, defect, symmetry, seed);
  const ScaledApart<S> scaled = scaled_apart(matrix, largest, seed);
  DenseMatrix<S> x = random_dense<S>(kOrder, 2 + defect, seed + 1);
  for (Index i = 0; i < kOrder; ++i) {
    x(i, 1) *= std::ldexp(RealOf<S>(1), static_cast<int>(7 * i % (2 * kSizes + 1)) - kSizes);
  }
  DenseMatrix<S> b(kOrder, 2 + defect);
  std::vector<RealOf<S>> sizes(static_cast<std::size_t>(kOrder));
  for (Index j = 0; j < b.num_cols; ++j) {
    multiply<S>(matrix.view(), operation, x.column(j), b.column(j));
    if (j >= 2) {
      const Index wrong = kOrder - defect + j - 2;
      multiply_magnitudes<S>(matrix.view(), operation, x.column(j), sizes);
      b(wrong, j) += S(sizes[wrong] / 32);
    }
  }
  const bool is_plain = operation == Operation::plain;
  SidesOfSingularSystem<S> sides;
  sides.name = "defect " + std::to_string(defect) + ", symmetry " + std::to_string(static_cast<int>(symmetry)) + ", operation " +
               std::to_string(static_cast<int>(operation)) + ", exponents up to " + std::to_string(largest) + ", seed " +
               std::to_string(seed);
  sides.matrix = scaled.matrix;
  sides.operation = operation;
  sides.b = scaled_rows(std::move(b), is_plain ? scaled.row_exponents : scaled.col_exponents);
  sides.is_consistent.assign(2 + static_cast<std::size_t>(defect), false);
  sides.is_consistent[0] = true;
  sides.is_consistent[1] = true;
  return sides;
}

// Returns such systems for all operations, kinds of matrices and scalings.
template <class S>
std::vector<SidesOfSingularSystem<S>> all_sides_of_singular_systems() {
  constexpr int kFar = std::is_same_v<RealOf<S>, double> ? 400 : 40;
  std::vector<SidesOfSingularSystem<S>> all;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
      for (const Index defect : {1, 4}) {
        for (const int largest : {0, 25, kFar}) {
          all.push_back(sides_of_singular_system<S>(defect, symmetry, operation, largest, 3));
        }
      }
    }
  }
  return all;
}

// A dense matrix of a few rows, and one right-hand side.
template <class S>
SidesOfSingularSystem<S> small_sides(std::string name, const std::vector<std::vector<double>>& rows, const std::vector<double>& b,
                                     bool is_consistent) {
  const auto order = static_cast<Index>(rows.size());
  Triplets<S> entries{order, order, Symmetry::general};
  DenseMatrix<S> side(order, 1);
  for (Index i = 0; i < order; ++i) {
    for (Index j = 0; j < order; ++j) {
      const double value = rows[i][j];
      if (value != 0) {
        entries.add(i, j, S(static_cast<RealOf<S>>(value)));
      }
    }
    side(i, 0) = S(static_cast<RealOf<S>>(b[i]));
  }
  return {std::move(name), compress(std::move(entries)), Operation::plain, std::move(side), {is_consistent}};
}

// Returns systems whose answers can be read off.
template <class S>
std::vector<SidesOfSingularSystem<S>> small_sides_of_singular_systems() {
  return {small_sides<S>("0 x = 1 beside 1e15 x = 1e15", {{1e15, 0}, {0, 0}}, {1e15, 1}, false),
          small_sides<S>("0 x = 0 beside 1e15 x = 1e15", {{1e15, 0}, {0, 0}}, {1e15, 0}, true),
          small_sides<S>("0 x = 1e-15 beside x = 1", {{1, 0}, {0, 0}}, {1, 1e-15}, false),
          small_sides<S>("x + y = 1 = 2 beside a large unknown", {{1, 0, 0}, {0, 1, 1}, {0, 1, 1}}, {1e15, 1, 2}, false),
          small_sides<S>("x + y = 1 beside a large unknown", {{1, 0, 0}, {0, 1, 1}, {0, 1, 1}}, {1e15, 1, 1}, true),
          small_sides<S>("two pairs, one of them wrong", {{1, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1e-9, 1e-9}, {0, 0, 1e-9, 1e-9}},
                         {1e9, 1e9, 1e-9, 2e-9}, false),
          small_sides<S>("the zero matrix", {{0, 0}, {0, 0}}, {0, 1e-20}, false),
          small_sides<S>("the zero matrix and no side", {{0, 0}, {0, 0}}, {0, 0}, true)};
}

}  // namespace
}  // namespace frond::testing

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
