// SPDX-License-Identifier: BSD-3-Clause
// Stops calls at any moment: they must leak no memory, and the same calls must work afterwards.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <vector>

#include "factorization/memory/region_pool.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/solve.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/observers.hpp"

namespace frond {
namespace {

using testing::Flavour;

struct Problem {
  SparseMatrix<double> matrix;
  SolverOptions options;
};

// Returns problems for Cholesky, LDLT with a proof of the rank, LU in blocks and in mixed precision.
std::vector<Problem> problems(int num_threads) {
  std::vector<Problem> list(4);
  list[0].matrix = testing::laplacian<double>(10);
  list[1].matrix = testing::random_matrix<double>(300, 3, Symmetry::symmetric, Flavour::zero_diagonal, 1);
  list[2].matrix = testing::reducible_matrix<double>({40, 90, 60}, 3, testing::Shuffle::apart, 2);
  list[2].options.analysis.block_triangular = Use::always;
  list[3].matrix = testing::random_matrix<double>(300, 4, Symmetry::general, Flavour::dominant, 3);
  list[3].options.mixed_precision = true;
  for (Problem& problem : list) {
    problem.options.factorization.num_threads = num_threads;
    problem.options.error_bounds = ErrorBounds::first_column;
  }
  return list;
}

TEST(Stop, EndsAnalysisAndFactorizationAtAnyMoment) {
  for (const int num_threads : {1, 2}) {
    for (Problem& problem : problems(num_threads)) {
      const auto request = std::make_shared<testing::StopAt>();
      problem.options.observer = request;
      const auto pool = std::make_shared<RegionPool>();
      problem.options.factorization.memory = pool;
      const auto b = testing::random_dense<double>(problem.matrix.num_rows, 1, 5).values;
      const Solution<double> expected = solve(problem.matrix, b, problem.options);
      const Count kept_bytes = pool->kept_bytes();
      const int num_asked = request->num_asked();
      ASSERT_GT(num_asked, 5);
      std::mt19937 random(7);
      int num_ended = 0;
      for (int trial = 0; trial < 25; ++trial) {
        request->begin(std::uniform_int_distribution<int>(1, num_asked)(random));
        try {
          EXPECT_EQ(solve(problem.matrix, b, problem.options).x, expected.x);
        } catch (const StoppedError&) {
          ++num_ended;
        }
      }
      EXPECT_GT(num_ended, 20) << "of 25: threads may come to another number of questions";
      EXPECT_LE(pool->kept_bytes(), 2 * kept_bytes) << "what was taken has come back, and nothing piles up";
      request->begin(0);
      EXPECT_EQ(solve(problem.matrix, b, problem.options).x, expected.x);
    }
  }
}

// The request that ended a solve is queried again in the next one; the factors are unchanged.
TEST(Stop, EndsSolvesAndLeavesTheFactors) {
  for (Problem& problem : problems(2)) {
    const auto request = std::make_shared<testing::StopAt>();
    problem.options.observer = request;
    const Factorization<double> factorization(analyze(problem.matrix, problem.options), problem.matrix);
    const auto b = testing::random_dense<double>(problem.matrix.num_rows, 3, 5);
    DenseMatrix<double> expected(b.num_rows, 3);
    request->begin(0);
    (void)factorization.solve(view_of(b), view_of(expected));
    const InverseEntries<double> diagonal = factorization.inverse_diagonal();
    const int num_asked = request->num_asked();
    for (int k = 1; k <= num_asked; k += 1 + num_asked / 20) {
      request->begin(k);
      DenseMatrix<double> x(b.num_rows, 3);
      EXPECT_THROW(
          {
            (void)factorization.solve(view_of(b), view_of(x));
            (void)factorization.inverse_diagonal();
          },
          StoppedError);
    }
    request->begin(0);
    DenseMatrix<double> x(b.num_rows, 3);
    (void)factorization.solve(view_of(b), view_of(x));
    EXPECT_EQ(x.values, expected.values);
    EXPECT_EQ(factorization.inverse_diagonal().values, diagonal.values);
  }
}

TEST(Stop, IsAskedForByProgress) {
  const auto matrix = testing::laplacian<double>(24);
  SolverOptions options;
  options.factorization.num_threads = 1;
  std::atomic<double> last_fraction = 0;
  const auto observer = std::make_shared<testing::Calls>();
  observer->part = [&](double fraction) { last_fraction = fraction; };
  observer->stop = [&] { return last_fraction > 0.5; };
  options.observer = observer;
  const Analysis analysis = analyze(matrix, options);
  EXPECT_THROW((Factorization<double>(analysis, matrix)), StoppedError);
  EXPECT_GT(last_fraction, 0.5);
  EXPECT_LT(last_fraction, 1);
}

}  // namespace
}  // namespace frond
