// SPDX-License-Identifier: BSD-3-Clause
// Compares Cholesky factors over several ranks, with fronts of all three types, entry by entry with those of one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "frond/dense.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {
namespace {

// Bounds the rounding errors of the few hundred products behind an entry, in units of eps times the size that the entry can have.
constexpr double kAgreement = 20;

// Returns L by new variable numbers.
template <Scalar S>
DenseMatrix<S> dense_l(const Factors<S>& factors) {
  const AssemblyTree& tree = factors.symbolic().tree();
  DenseMatrix<S> l(factors.symbolic().order(), factors.symbolic().order());
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const FrontFactor<S>& front = factors.front(node);
    std::vector<Index> rows(front.row_variables, front.row_variables + front.num_fully_summed);
    rows.insert(rows.end(), tree.cb_rows(node).begin(), tree.cb_rows(node).end());
    for (Index j = 0; j < front.num_eliminated; ++j) {
      for (Index i = j; i < front.order; ++i) {
        l(rows[i], front.row_variables[j]) = front.lower[front.layout.column_offset(j) + i];
      }
    }
  }
  return l;
}

// Returns the largest |l_ij - l'_ij| in units of eps sqrt(a_ii), which bounds the entries of row i.
template <Scalar S>
double largest_difference(const DenseMatrix<S>& l, const DenseMatrix<S>& expected, const RankProblem<S>& problem) {
  const DenseMatrix<S> a = to_dense(problem.a.view());
  const std::vector<Index>& perm = problem.symbolic->permutation().perm;
  double largest = 0;
  for (Index j = 0; j < l.num_cols; ++j) {
    for (Index i = 0; i < l.num_rows; ++i) {
      const Index row = perm[i];
      const double difference = std::abs(l(i, j) - expected(i, j)) / std::sqrt(std::abs(a(row, row)));
      largest = std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(largest, difference);
    }
  }
  return largest / static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
}

template <Scalar S>
void expect_agreement(Index grid) {
  Count num_slaves = 0;  // of all runs; two ranks may do without slaves
  for (const Rank num_ranks : {2, 3, 5, 8}) {
    const RankProblem<S> problem(Method::cholesky, grid, Values::dominant, Types::grid, num_ranks);
    for (const NodeType type : {NodeType::sequential, NodeType::row_distributed, NodeType::grid_distributed}) {
      ASSERT_GT(problem.mapping.num_nodes_of(type), 0);
    }
    const DenseMatrix<S> expected = dense_l(*problem.run_on_one_rank().factors);
    for (int trial = 0; trial < 4; ++trial) {
      const VirtualRun run{.seed = std::random_device{}(), .buffer_bytes = Count{500} << (4 * trial)};
      SCOPED_TRACE(::testing::Message() << "ranks " << num_ranks << ", seed " << run.seed);
      const VirtualRunResult<S> result = problem.run(run);
      ASSERT_FALSE(result.failure) << result.failure->text;
      num_slaves += result.counts.slaves_chosen;
      EXPECT_LE(largest_difference(dense_l(problem.gather(result)), expected, problem), kAgreement);
    }
  }
  EXPECT_GT(num_slaves, 0);
}

TEST(CholeskyAgreement, OfRealFactors) { expect_agreement<double>(10); }

TEST(CholeskyAgreement, OfComplexFactors) { expect_agreement<std::complex<double>>(9); }

TEST(CholeskyAgreement, EndsWithOneWrongEntry) {
  const RankProblem<double> problem(Method::cholesky, 5, Values::dominant, Types::sequential, 1);
  const DenseMatrix<double> l = dense_l(*problem.run_on_one_rank().factors);
  for (const Index row : {0, 60, 124}) {
    DenseMatrix<double> wrong = l;
    wrong(row, 0) += 1e-12;
    EXPECT_GT(largest_difference(wrong, l, problem), kAgreement);
    wrong(row, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(largest_difference(wrong, l, problem) <= kAgreement);
  }
}

}  // namespace
}  // namespace frond::test
