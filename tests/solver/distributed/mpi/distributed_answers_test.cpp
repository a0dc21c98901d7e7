// SPDX-License-Identifier: BSD-3-Clause
// Tests null spaces and entries of the inverse on several ranks, against dense algebra.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using test::WideDense;
using testing::Flavour;

template <class S>
DenseView<S> view_of_all(DenseMatrix<S>& matrix) {
  return {matrix.values.data(), matrix.num_rows, matrix.num_cols, std::max(matrix.num_rows, Index{1})};
}

template <class S>
class DistributedAnswersOf : public ::testing::Test {
 protected:
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }

  // Spreads small systems over the ranks, by rows where possible.
  [[nodiscard]] static SolverOptions spreading_options() {
    SolverOptions options;
    options.analysis.mapping.layer.upper_node_seconds = 0;
    options.analysis.mapping.layer.tolerance = 0.01;
    options.analysis.mapping.rows = {.min_slave_rows = 1, .min_front_flops = 0};
    return options;
  }

  [[nodiscard]] SolverOptions grid_options() const {
    SolverOptions options = spreading_options();
    options.analysis.mapping.grid.order_per_side = 1;
    options.analysis.mapping.grid.block_size = 8;
    if (ranks_.num_ranks() > 1) {
      options.analysis.mapping.grid.ranks = {0, 1};
    }
    return options;
  }

  [[nodiscard]] std::unique_ptr<Factorization<S>> factorize(const SystemMatrix<S>& matrix, const SolverOptions& options) const {
    return std::make_unique<Factorization<S>>(
        factorize_on_ranks<S>(std::make_shared<const DistributedSystem<S>>(ranks_, is_first() ? &matrix : nullptr, options)));
  }

  void expect_null_space(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, Index dimension,
                         const SolverOptions& options) const {
    const auto factorization = factorize(matrix, options);
    ASSERT_EQ(factorization->report().factorization.status, FactorizationStatus::singular);
    for (const Operation operation : test::kOperations) {
      const NullSpace<S> space = factorization->null_space(operation);
      EXPECT_TRUE(space.is_known);
      ASSERT_EQ(space.dimension(), dimension);
      ASSERT_EQ(space.backward_errors.size(), static_cast<std::size_t>(dimension));
      EXPECT_LE(space.worst_backward_error(), 10 * kEps);
      if (!is_first()) {
        EXPECT_TRUE(space.basis.values.empty());
        continue;
      }
      EXPECT_LE(test::distance_from_orthonormal(space.basis), 20 * kEps);
      EXPECT_LE(test::distance_of_spaces(space.basis, test::dense_null_space(dense, operation, dimension)), 3e4 * kEps);
    }
  }

  void expect_inverse(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, const SolverOptions& options) const {
    const Index n = matrix.order();
    const auto factorization = factorize(matrix, options);
    const WideDense<S> a = test::wide(dense);
    const WideDense<S> inverse = test::inverse(a);
    const double tolerance = 20 * kEps * a.norm() * inverse.norm() * inverse.cwiseAbs().maxCoeff();
    const DiagonalPattern diagonal(n);
    for (const InverseAccuracy accuracy : {InverseAccuracy::direct, InverseAccuracy::refined}) {
      for (const PatternView& pattern : {diagonal.view(), PatternView(matrix.stored.pattern)}) {
        const InverseEntries<S> entries = factorization->inverse_entries(is_first() ? pattern : PatternView{}, accuracy);
        EXPECT_EQ(entries.verdict, Verdict::solved) << entries.describe();
        EXPECT_GT(entries.num_checked, 0);
        EXPECT_EQ(entries.num_columns, n);
        EXPECT_EQ(entries.values.size(), is_first() ? pattern.row_indices.size() : 0);
        for (Index j = 0; j < n && is_first(); ++j) {
          for (auto k = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j)]);
               k < static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
            EXPECT_LE(std::abs(test::Wide<S>(entries.values[k]) - inverse(pattern.row_indices[k], j)), tolerance);
          }
        }
      }
    }
  }

  Communicator ranks_ = mpi_world(test::mpi_gate());
};
TYPED_TEST_SUITE(DistributedAnswersOf, test::Scalars);

TYPED_TEST(DistributedAnswersOf, NullSpaces) {
  using S = TypeParam;
  for (const SolverOptions& options : {this->spreading_options(), this->grid_options()}) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
      const SparseMatrix<S> matrix = testing::singular_matrix<S>(60, 3, symmetry, 5);
      this->expect_null_space(matrix, testing::dense(matrix), 3, options);
    }
    const SparseMatrix<S> matrix = testing::singular_matrix<S>(50, 2, Symmetry::general, 7);
    const auto rows = compressed_rows<S>(50, matrix.column_offsets, matrix.row_indices, matrix.values);
    this->expect_null_space(rows, testing::dense(matrix, Operation::transposed), 2, options);
  }
}

// Combines a regular tree, whose root is on the grid, with isolated variables without a nonzero entry.
TYPED_TEST(DistributedAnswersOf, NullSpacesBesideARootOnAGrid) {
  using S = TypeParam;
  const SparseMatrix<S> regular = testing::random_matrix<S>(60, 4, Symmetry::general, Flavour::dominant, 3);
  const DenseMatrix<S> whole = testing::dense(regular);
  Triplets<S> entries{63, 63, Symmetry::general};
  for (Index j = 0; j < 60; ++j) {
    for (Index i = 0; i < 60; ++i) {
      if (whole(i, j) != S(0)) {
        entries.add(i, j, whole(i, j));
      }
    }
  }
  entries.add(60, 61, S(1));
  const SparseMatrix<S> matrix = compress(std::move(entries));
  this->expect_null_space(matrix, testing::dense(matrix), 2, this->grid_options());
}

TYPED_TEST(DistributedAnswersOf, NothingForARegularMatrix) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(40, 3, Symmetry::general, Flavour::dominant, 1);
  const NullSpace<S> space = this->factorize(matrix, this->spreading_options())->null_space();
  EXPECT_EQ(space.dimension(), 0);
  EXPECT_TRUE(space.is_known);
}

TYPED_TEST(DistributedAnswersOf, Inverses) {
  using S = TypeParam;
  for (const SolverOptions& options : {this->spreading_options(), this->grid_options()}) {
    const Symmetry definite = kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric;
    const auto positive = testing::random_matrix<S>(80, 3, definite, Flavour::dominant, 2);
    this->expect_inverse(positive, testing::dense(positive), options);
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
      const auto matrix = testing::random_matrix<S>(80, 3, symmetry, Flavour::zero_diagonal, 3);
      this->expect_inverse(matrix, testing::dense(matrix), options);
    }
    const auto matrix = testing::random_matrix<S>(80, 3, Symmetry::general, Flavour::dominant, 4);
    const auto rows = compressed_rows<S>(80, matrix.column_offsets, matrix.row_indices, matrix.values);
    this->expect_inverse(rows, testing::dense(matrix, Operation::transposed), options);
  }
}

TYPED_TEST(DistributedAnswersOf, DiagonalsOfInverses) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(40, 3, Symmetry::general, Flavour::dominant, 5);
  const auto factorization = this->factorize(matrix, this->spreading_options());
  const InverseEntries<S> diagonal = factorization->inverse_diagonal();
  EXPECT_EQ(diagonal.verdict, Verdict::solved);
  EXPECT_EQ(diagonal.values.size(), this->is_first() ? 40U : 0U);
  const WideDense<S> inverse = test::inverse(test::wide(testing::dense(matrix)));
  for (std::size_t i = 0; i < diagonal.values.size(); ++i) {
    const auto k = static_cast<Index>(i);
    EXPECT_LE(std::abs(test::Wide<S>(diagonal.values[i]) - inverse(k, k)), 100 * this->kEps * inverse.cwiseAbs().maxCoeff());
  }
}

TYPED_TEST(DistributedAnswersOf, SolutionsForSparseSides) {
  using S = TypeParam;
  constexpr Index kOrder = 90;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::hermitian}) {
    const auto matrix = testing::random_matrix<S>(kOrder, 3, symmetry, Flavour::zero_diagonal, 4);
    SolverOptions options = this->grid_options();
    options.error_bounds = ErrorBounds::first_column;
    const auto factorization = this->factorize(matrix, options);
    for (const Index num_columns : {0, 1, 70}) {
      Triplets<S> entries{kOrder, num_columns, Symmetry::general};
      for (Index j = 0; j < num_columns; ++j) {
        entries.add((11 * j + 5) % kOrder, j, S(1));
        entries.add((11 * j + 6) % kOrder, j, S(-2));
      }
      const SparseMatrix<S> b = compress(std::move(entries));
      for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
        DenseMatrix<S> x(kOrder, num_columns);
        const SolveReport report =
            factorization->solve_sparse(this->is_first() ? b.view() : MatrixView<S>{}, view_of_all(x), operation);
        EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
        EXPECT_EQ(report.columns.size(), static_cast<std::size_t>(num_columns));
        EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), x, testing::dense(b)), 20 * this->kEps);
        const auto num_bounded = std::count_if(report.columns.begin(), report.columns.end(),
                                               [](const ColumnReport& column) { return !std::isnan(column.forward_error_bound); });
        EXPECT_EQ(num_bounded, std::min(num_columns, Index{1}));
      }
      DenseMatrix<S> x(kOrder, num_columns + (this->is_first() ? 1 : 0));  // columns that B does not have
      EXPECT_THROW((void)factorization->solve_sparse(this->is_first() ? b.view() : MatrixView<S>{}, view_of_all(x)), UsageError);
    }
  }
}

TYPED_TEST(DistributedAnswersOf, SingularMatricesHaveNoInverse) {
  using S = TypeParam;
  const auto matrix = testing::singular_matrix<S>(30, 1, Symmetry::general, 5);
  const DiagonalPattern diagonal(30);
  const InverseEntries<S> entries =
      this->factorize(matrix, this->spreading_options())->inverse_entries(this->is_first() ? diagonal.view() : PatternView{});
  EXPECT_EQ(entries.verdict, Verdict::singular);
  EXPECT_EQ(entries.values.size(), this->is_first() ? 30U : 0U);
}

}  // namespace
}  // namespace frond
