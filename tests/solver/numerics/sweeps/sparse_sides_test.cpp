// SPDX-License-Identifier: BSD-3-Clause
// Tests that sparse right-hand sides visit the fronts that they need alone.
#include "solver/numerics/sweeps/sparse_sides.hpp"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "factorization/kernels/blas_threads.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/answers/inverse.hpp"
#include "solver/numerics/problem/dense_rows.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/solve_problem.hpp"

namespace frond::testing {
namespace {

using test::Values;

template <class S>
class SparseSidesOf : public ::testing::Test {};
TYPED_TEST_SUITE(SparseSidesOf, test::Scalars);

// Returns the nodes that are not on a path from any of the variables to a root.
std::vector<NodeId> nodes_beside_paths(const AssemblyTree& tree, const std::vector<Index>& variables) {
  std::vector<char> is_on_path(static_cast<std::size_t>(tree.num_nodes()));
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const Index begin = tree.variable_begin(node);
    for (const Index variable : variables) {
      if (begin <= variable && variable < begin + tree.num_fully_summed(node)) {
        for (NodeId next = node; next != kNoParent; next = tree.parent(next)) {
          is_on_path[next] = 1;
        }
      }
    }
  }
  std::vector<NodeId> beside;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    if (is_on_path[node] == 0) {
      beside.push_back(node);
    }
  }
  return beside;
}

// Fronts that are not on a path hold only NaN, which must not reach the result.
template <Scalar S>
void expect_paths_only(Method method, Values values) {
  const SparseMatrix<S> a = test::grid_matrix<S>(symmetry_for(method, kIsComplex<S>), 6, 6, 6, values, 3);
  const RankProblem<S> problem(method, a, 1);
  const SolvePlan plan(problem.symbolic->tree());
  for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
    DenseMatrix<S> inverse = dense_columns(UnitVectors<S>(216, all_rows(216)).view(), 0, 216);
    problem.solve(operation, view_of(inverse));
    const bool is_by_rows = operation == Operation::plain;
    const Index col = 17;
    const std::vector<Index> rows{3, 100};
    const Permutation& equations = is_by_rows ? problem.symbolic->row_permutation() : problem.symbolic->permutation();
    const Permutation& unknowns = is_by_rows ? problem.symbolic->permutation() : problem.symbolic->row_permutation();
    const std::vector<Index> variables{equations.inverse_perm[17], unknowns.inverse_perm[3], unknowns.inverse_perm[100]};
    const std::vector<NodeId> beside = nodes_beside_paths(problem.symbolic->tree(), variables);
    ASSERT_GT(beside.size(), 5U);
    std::vector<std::pair<S*, S>> kept;
    std::vector<std::pair<Index*, Index>> kept_lists;
    for (const NodeId node : beside) {
      const FrontFactor<S>& front = problem.factors->front(node);
      // if they were visited, these fronts would overwrite a wanted unknown
      for (Index k = 0; k < front.num_fully_summed; ++k) {
        for (Index* list : {front.row_variables, front.col_variables}) {
          kept_lists.emplace_back(list + k, list[k]);
          list[k] = variables[2];
        }
      }
      for (Count k = 0; front.num_fully_summed > 0 && k < front.layout.column_offset(0) + front.order; ++k) {
        kept.emplace_back(front.lower + k, front.lower[k]);
        front.lower[k] = S(std::numeric_limits<RealOf<S>>::quiet_NaN());
      }
    }
    const BlasThreadsGuard guard;
    tbb::task_arena arena(1);
    DenseMatrix<S> x(2, 1);
    arena.execute([&] {
      const std::vector<Index> cols{col};
      solve_selected<S>(*problem.factors, plan, operation, UnitVectors<S>(216, cols).view(), rows, view_of(x));
    });
    for (const auto& [place, value] : kept) {
      *place = value;
    }
    for (auto entry = kept_lists.rbegin(); entry != kept_lists.rend(); ++entry) {
      *entry->first = entry->second;
    }
    const double tolerance = 1e4 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
    EXPECT_LE(std::abs(x(0, 0) - inverse(3, col)), tolerance * (1 + std::abs(inverse(3, col))));
    EXPECT_LE(std::abs(x(1, 0) - inverse(100, col)), tolerance * (1 + std::abs(inverse(100, col))));
  }
}

TYPED_TEST(SparseSidesOf, VisitPathsOnly) {
  using S = TypeParam;
  expect_paths_only<S>(Method::cholesky, Values::dominant);
  expect_paths_only<S>(Method::ldlt, Values::dominant);
  expect_paths_only<S>(Method::lu, Values::dominant);
  expect_paths_only<S>(Method::ldlt, Values::zero_diagonal);
  expect_paths_only<S>(Method::lu, Values::zero_diagonal);
}

// A dense block with nonzeros in one row only leaves fronts unvisited on the way up.
TEST(SparseSides, ZerosOfDenseBlocksArePassedBy) {
  const SparseMatrix<double> a = test::grid_matrix<double>(Symmetry::general, 6, 6, 6, Values::dominant, 3);
  const RankProblem<double> problem(Method::lu, a, 1);
  const SolvePlan plan(problem.symbolic->tree());
  const std::vector<NodeId> beside =
      nodes_beside_paths(problem.symbolic->tree(), {problem.symbolic->row_permutation().inverse_perm[17]});
  DenseMatrix<double> x(216, 2);
  x(17, 0) = 1;
  x(17, 1) = -3;
  for (const NodeId node : beside) {
    problem.factors->front(node).lower[0] = std::numeric_limits<double>::quiet_NaN();
  }
  solve_with_factors<double>(*problem.factors, plan, {Operation::plain, view_of(x), SweepPart::first}, 1);
  EXPECT_TRUE(std::none_of(x.values.begin(), x.values.end(), [](double value) { return std::isnan(value); }));
}

// Several entries at one position are summed.
TEST(SparseSides, MayHaveAPositionTwice) {
  const std::vector<Count> offsets{0, 1, 4};
  const std::vector<Index> rows{2, 0, 1, 0};
  const std::vector<double> values{5, 1, 2, 3};
  const MatrixView<double> b{{3, 2, Symmetry::general, offsets, rows}, values};
  EXPECT_EQ(dense_columns(b, 0, 2).values, (std::vector<double>{0, 0, 5, 4, 2, 0}));
  EXPECT_EQ(dense_columns(b, 1, 2).values, (std::vector<double>{4, 2, 0}));
}

TEST(SparseSides, RefuseWhatDoesNotFit) {
  const auto matrix = random_matrix<double>(20, 2, Symmetry::symmetric, Flavour::dominant, 15);
  const Factorization<double> factorization(analyze(matrix), matrix);
  SparseMatrix<double> b = compress(Triplets<double>{20, 2, Symmetry::general, {5, 6, 16, 17}, {0, 0, 1, 1}, {1, -2, 1, -2}});
  DenseMatrix<double> x(20, 3);
  const auto solve = [&](Index num_cols) { (void)factorization.solve_sparse(b.view(), {x.values.data(), 20, num_cols, 20}); };
  EXPECT_NO_THROW(solve(2));
  EXPECT_THROW(solve(3), UsageError);
  b.row_indices[1] = 20;
  EXPECT_THROW(solve(2), UsageError);
  b.row_indices[1] = 3;
  b.values[2] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(solve(2), UsageError);
  b.values.pop_back();
  EXPECT_THROW(solve(2), UsageError);
  EXPECT_THROW((void)factorization.solve_sparse(matrix.view(), {x.values.data(), 20, 3, 20}), UsageError);
}

}  // namespace
}  // namespace frond::testing
