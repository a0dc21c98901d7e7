// SPDX-License-Identifier: BSD-3-Clause
// Tests bases of null spaces against singular vectors of dense matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

using test::dense_null_space;
using test::distance_of_spaces;
using testing::singular_matrix;

template <class S>
class NullSpaceOf : public ::testing::Test {
 protected:
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  // Compares the null spaces of A, A^T and A^H with the dense ones.
  static void expect_null_spaces(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, Index dimension,
                                 StageOptions options = {}) {
    for (const Layout layout : layouts()) {
      options.layout = layout;
      const auto factorization = factorize(matrix, options);
      EXPECT_EQ(factorization->report().factorization.status, FactorizationStatus::singular);
      for (const Operation operation : test::kOperations) {
        SCOPED_TRACE(::testing::Message() << "operation " << static_cast<int>(operation));
        const NullSpace<S> space = factorization->null_space(operation);
        EXPECT_TRUE(space.is_known);
        EXPECT_TRUE(space.note.empty()) << space.note;
        ASSERT_EQ(space.dimension(), dimension);
        EXPECT_EQ(space.backward_errors.size(), static_cast<std::size_t>(dimension));
        EXPECT_LE(space.worst_backward_error(), 10 * kEps);
        EXPECT_LE(test::distance_from_orthonormal(space.basis), 20 * kEps);
        // sine of the angle: residual over the gap, which is above 1e-2 for these matrices
        EXPECT_LE(distance_of_spaces(space.basis, dense_null_space(dense, operation, dimension)), 3e4 * kEps);
      }
    }
  }
};
TYPED_TEST_SUITE(NullSpaceOf, test::Scalars);

TYPED_TEST(NullSpaceOf, GeneralMatrices) {
  using S = TypeParam;
  for (const Index dimension : {1, 4}) {
    const SparseMatrix<S> matrix = singular_matrix<S>(60, dimension, Symmetry::general, 5);
    for (const Use matching : {Use::never, Use::always}) {
      StageOptions options;
      options.solver.analysis.ordering.matching = matching;
      this->expect_null_spaces(matrix, testing::dense(matrix), dimension, options);
    }
  }
}

TYPED_TEST(NullSpaceOf, SymmetricAndHermitianMatrices) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
    const SparseMatrix<S> matrix = singular_matrix<S>(60, 3, symmetry, 6);
    this->expect_null_spaces(matrix, testing::dense(matrix), 3);
    StageOptions by_lu;
    by_lu.solver.method = Method::lu;
    this->expect_null_spaces(matrix, testing::dense(matrix), 3, by_lu);
  }
}

// The arrays of A, read as compressed rows, represent A^T.
TYPED_TEST(NullSpaceOf, CompressedRows) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = singular_matrix<S>(50, 2, Symmetry::general, 7);
  const auto rows = compressed_rows<S>(50, matrix.column_offsets, matrix.row_indices, matrix.values);
  this->expect_null_spaces(rows, testing::dense(matrix, Operation::transposed), 2);
}

// Combines a regular tree, whose root is on the grid, with isolated variables without a nonzero entry.
TYPED_TEST(NullSpaceOf, VectorsBesideARootOnAGrid) {
  using S = TypeParam;
  Triplets<S> entries{63, 63};
  testing::for_each_entry(testing::random_matrix<S>(60, 4, Symmetry::general, testing::Flavour::dominant, 3),
                          [&](Index i, Index j, S value) { entries.add(i, j, value); });
  entries.add(60, 61, S(1));
  const SparseMatrix<S> matrix = compress(std::move(entries));
  this->expect_null_spaces(matrix, testing::dense(matrix), 2);
}

// Seventy isolated variables without a value: more null vectors than one solve takes, each in a separate tree.
TYPED_TEST(NullSpaceOf, ManyVectorsInAForest) {
  using S = TypeParam;
  Triplets<S> entries{100, 100, Symmetry::symmetric};
  for (Index i = 0; i < 30; ++i) {
    entries.add(3 * i, 3 * i, S(2));
  }
  const SparseMatrix<S> matrix = compress(std::move(entries));
  const auto factorization = factorize<S>(matrix, {});
  const NullSpace<S> space = factorization->null_space();
  ASSERT_EQ(space.dimension(), 70);
  EXPECT_EQ(space.worst_backward_error(), 0);
  EXPECT_LE(test::distance_from_orthonormal(space.basis), 20 * this->kEps);
}

TYPED_TEST(NullSpaceOf, NothingForARegularMatrix) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(40, 3, Symmetry::general, testing::Flavour::dominant, 1);
  const NullSpace<S> space = factorize<S>(matrix, {})->null_space();
  EXPECT_TRUE(space.is_known);
  EXPECT_EQ(space.basis.num_rows, 40);
  EXPECT_EQ(space.dimension(), 0);
  const SparseMatrix<S> nothing;
  EXPECT_EQ(factorize<S>(nothing, {})->null_space().dimension(), 0);
  Triplets<S> zero{1, 1, Symmetry::general};
  const SparseMatrix<S> one = compress(std::move(zero));
  const NullSpace<S> all = factorize<S>(one, {})->null_space();
  ASSERT_EQ(all.dimension(), 1);
  EXPECT_EQ(std::abs(all.basis(0, 0)), RealOf<S>(1));
}

// Rows and columns differ widely in scale: the vectors must be those of A, not of the equilibrated matrix.
TYPED_TEST(NullSpaceOf, ScaledMatrices) {
  using S = TypeParam;
  SparseMatrix<S> matrix = singular_matrix<S>(40, 1, Symmetry::general, 8);
  testing::for_each_entry(matrix, [](Index i, Index j, S& value) { value *= std::ldexp(RealOf<S>(1), i % 7 - j % 5); });
  const auto factorization = factorize<S>(matrix, {});
  for (const Operation operation : {Operation::plain, Operation::adjoint}) {
    const NullSpace<S> space = factorization->null_space(operation);
    ASSERT_EQ(space.dimension(), 1);
    EXPECT_LE(space.worst_backward_error(), 10 * this->kEps);
    EXPECT_LE(distance_of_spaces(space.basis, dense_null_space(testing::dense(matrix), operation, 1)), 1e6 * this->kEps);
  }
}

// The Laplacian of a path with 2^-40 added at its end: all pivots are 1 except the last one, 2^-40, which exceeds the null
// threshold, while the smallest singular value is about 2^-40 / n. Its singular vector is nearly constant.
TEST(NullSpace, InverseIterationWhereOnlyTheConditionTells) {
  const Index order = is_one_process() ? 4000 : 400;
  Triplets<double> entries{order, order, Symmetry::symmetric};
  for (Index j = 0; j < order; ++j) {
    entries.add(j, j, j == 0 ? 1 : j == order - 1 ? 1 + 0x1p-40 : 2);
    if (j > 0) {
      entries.add(j, j - 1, -1);
    }
  }
  const SparseMatrix<double> matrix = compress(std::move(entries));
  StageOptions options;
  options.solver.analysis.ordering.kind = OrderingKind::natural;
  options.solver.scaling = ScalingKind::none;
  options.solver.factorization.pivoting.null_threshold = 1e-14;  // avoids a second factorization with another threshold
  const auto factorization = factorize<double>(matrix, options);
  ASSERT_TRUE(factorization->report().is_singular_by_condition);
  for (const Operation operation : test::kOperations) {
    const NullSpace<double> space = factorization->null_space(operation);
    ASSERT_EQ(space.dimension(), 1);
    EXPECT_NE(space.note.find("inverse iteration"), std::string::npos);
    EXPECT_LE(space.worst_backward_error(), 20 * std::numeric_limits<double>::epsilon());
    const double expected = std::abs(space.basis(0, 0));
    EXPECT_NEAR(expected, 1 / std::sqrt(order), 1e-6);
    for (Index i = 0; i < order; ++i) {
      EXPECT_NEAR(std::abs(space.basis(i, 0)), expected, 1e-6);
    }
  }
}

TEST(NullSpace, IsUnknownWithoutFactors) {
  const auto matrix = testing::random_matrix<double>(30, 3, Symmetry::symmetric, testing::Flavour::zero_diagonal, 3);
  StageOptions options;
  options.solver.method = Method::cholesky;
  const NullSpace<double> space = factorize<double>(matrix, options)->null_space();
  EXPECT_FALSE(space.is_known);
  EXPECT_EQ(space.dimension(), 0);
  EXPECT_FALSE(space.note.empty());
}

TEST(NullSpace, SaysWhetherTheSystemIsConsistent) {
  const SparseMatrix<double> matrix = singular_matrix<double>(60, 2, Symmetry::general, 9);
  const auto factorization = factorize<double>(matrix, {});
  const std::vector<double> ones(60, 1.0);
  DenseMatrix<double> b(60, 2);
  DenseMatrix<double> x(60, 2);
  multiply<double>(matrix.view(), Operation::plain, ones, b.column(0));
  const auto solve_for = [&](Index begin, Index end) {
    return factorization->calls().solve(view_of(std::as_const(b)).columns(begin, end), view_of(x).columns(begin, end));
  };
  const NullSpace<double> left = factorization->null_space(Operation::transposed);
  std::copy_n(left.basis.column(0).begin(), 60, b.column(1).begin());  // orthogonal to the range of A
  const SolveReport consistent = solve_for(0, 1);
  EXPECT_EQ(consistent.verdict, Verdict::singular);
  EXPECT_EQ(consistent.num_met(), 1);
  EXPECT_NE(consistent.describe().find("null pivots: 2, numerical rank: 58 of 60; but consistent: x is one of the solutions"),
            std::string::npos)
      << consistent.describe();
  const SolveReport inconsistent = solve_for(1, 2);
  EXPECT_EQ(inconsistent.num_met(), 0);
  EXPECT_NE(inconsistent.describe().find("; and not consistent: x leaves a backward error of"), std::string::npos);
  const SolveReport both = solve_for(0, 2);
  EXPECT_EQ(both.num_met(), 1);
  EXPECT_NE(both.describe().find("; consistent: 1 of 2 right-hand sides"), std::string::npos) << both.describe();
}

}  // namespace
}  // namespace frond::stages
