// SPDX-License-Identifier: BSD-3-Clause
// Stops one rank: all ranks must end with the same error, whatever they are doing, and factors that exist must still solve.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "frond/error.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"
#include "tests/support/observers.hpp"

namespace frond {
namespace {

class StopOnRanks : public testing::OnRanks {
 protected:
  // Draws a moment on some rank: often an early one, since idle ranks query again and again. All ranks draw the same numbers.
  void draw() {
    const auto victim = static_cast<Rank>(random_() % static_cast<unsigned>(ranks_.num_ranks()));
    const unsigned most_doublings = ranks_.num_ranks() == 1 ? 5 : 10;
    const int k = 1 + static_cast<int>(random_() % (1U << (random_() % most_doublings)));
    stop_->begin(ranks_.rank() == victim ? k : 0);
  }

  // Returns whether the ranks were stopped, and checks that either all or none were.
  template <class Work>
  [[nodiscard]] bool is_stopped(const Work& work) {
    char is_stopped = 0;
    try {
      work();
    } catch (const StoppedError&) {
      is_stopped = 1;
    }
    for (const char other : all_gather_values(ranks_, is_stopped)) {
      EXPECT_EQ(other, is_stopped);
    }
    return is_stopped != 0;
  }

  std::mt19937 random_{11};
  std::shared_ptr<testing::StopAt> stop_ = std::make_shared<testing::StopAt>();
};

TEST_F(StopOnRanks, EndsAllOfThemAtAnyMoment) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(10);
  int num_stopped = 0;
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    SolverOptions options = testing::spread_with_grid(ranks_);
    options.observer = stop_;
    draw();
    num_stopped += is_stopped([&] { const auto factorization = factorize<double>(matrix, options); }) ? 1 : 0;
  }
  EXPECT_GT(num_stopped, 10);
}

TEST_F(StopOnRanks, EndsSolvesAndLeavesTheFactors) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(10);
  SolverOptions options = testing::spread_with_grid(ranks_);
  options.observer = stop_;
  options.error_bounds = ErrorBounds::first_column;
  auto factorization = factorize<double>(matrix, options);
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 3, 5);
  DenseMatrix<double> expected(matrix.num_rows, 3);
  (void)factorization.solve(view_of(b), view_of(expected));
  int num_stopped = 0;
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    DenseMatrix<double> x(matrix.num_rows, 3);
    draw();
    num_stopped += is_stopped([&] { (void)factorization.solve(view_of(b), view_of(x)); }) ? 1 : 0;
    stop_->begin(0);
    (void)factorization.solve(view_of(b), view_of(x));
    if (ranks_.rank() == 0) {
      EXPECT_EQ(x.values, expected.values);
    }
  }
  EXPECT_GT(num_stopped, 10);
}

}  // namespace
}  // namespace frond
