// SPDX-License-Identifier: BSD-3-Clause
// Tests threads: the same bits for any number of them, factorizations side by side, and no helpers where one thread is requested.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <complex>
#include <thread>
#include <variant>
#include <vector>

#include "frond/dense.hpp"
#include "frond/factorization.hpp"
#include "matrices/generate.hpp"
#include "solver/local/local_backend.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;
using Complex = std::complex<double>;

// Returns the bits of solutions for one right-hand side and for a block.
template <Scalar S>
std::vector<S> solutions(const SparseMatrix<S>& matrix, Method method, int num_threads) {
  SolverOptions options{.method = method};
  options.factorization.num_threads = num_threads;
  const Factorization<S> factorization(analyze(matrix, options), matrix);
  std::vector<S> all;
  for (const Index num_rhs : {1, 20}) {
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, num_rhs, 16);
    DenseMatrix<S> x(matrix.num_rows, num_rhs);
    (void)factorization.solve(view_of(b), view_of(x));
    all.insert(all.end(), x.values.begin(), x.values.end());
  }
  return all;
}

TEST(Factorization, GivesTheSameBitsForAnyNumberOfThreads) {
  const tbb::global_control eight(tbb::global_control::max_allowed_parallelism, 8);
  const auto matrix = testing::laplacian<double>(22);
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    const std::vector<double> expected = solutions(matrix, method, 1);
    for (const int num_threads : {2, 3, 8}) {
      EXPECT_EQ(solutions(matrix, method, num_threads), expected) << to_string(method) << " with " << num_threads << " threads";
    }
  }
}

TEST(Factorization, TakesOneThreadWhereOthersBringNothing) {
  SolverOptions options;
  options.factorization.num_threads = 8;
  for (const auto& [edge, num_threads] : {std::pair{4, 1}, {14, 8}}) {
    const auto matrix = testing::laplacian<double>(edge);
    const LocalBackend<double> backend(analyze(matrix, options).parts(), SystemMatrix<double>(matrix));
    EXPECT_EQ(backend.options().factorization.num_threads, num_threads) << "order " << matrix.num_rows;
  }
}

TEST(Factorization, TwoSolversRunInTwoThreads) {
  const auto first = testing::laplacian<double>(14);
  const auto second = testing::random_matrix<Complex>(400, 3, Symmetry::general, Flavour::zero_diagonal, 17);
  const std::vector<double> expected_first = solutions(first, Method::cholesky, 2);
  const std::vector<Complex> expected_second = solutions(second, Method::lu, 2);
  for (int round = 0; round < 5; ++round) {
    std::vector<double> found_first;
    std::thread other([&] { found_first = solutions(first, Method::cholesky, 2); });
    const std::vector<Complex> found_second = solutions(second, Method::lu, 2);
    other.join();
    EXPECT_EQ(found_first, expected_first);
    EXPECT_EQ(found_second, expected_second);
  }
}

TEST(Factorization, IsSolvedWithByTwoThreadsAtOnce) {
  const auto matrix = testing::laplacian<double>(14);
  const Factorization<double> factorization(analyze(matrix), matrix);
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 2, 18);
  DenseMatrix<double> together(matrix.num_rows, 2);
  DenseMatrix<double> apart(matrix.num_rows, 2);
  (void)factorization.solve(b.column(0), together.column(0));
  (void)factorization.solve(b.column(1), together.column(1));
  std::thread other([&] { (void)factorization.solve(b.column(0), apart.column(0)); });
  (void)factorization.solve(b.column(1), apart.column(1));
  other.join();
  EXPECT_EQ(apart.values, together.values);
}

// Counts the workers that help in an arena. Uses a separate arena, since at the end of a process oneTBB leaks what it keeps for
// observers of the initial one.
class Helpers : public tbb::task_scheduler_observer {
 public:
  explicit Helpers(tbb::task_arena& arena) : task_scheduler_observer(arena) { observe(true); }
  ~Helpers() override { observe(false); }
  void on_scheduler_entry(bool is_worker) override { num_seen_ += is_worker ? 1 : 0; }
  [[nodiscard]] int num_seen() const { return num_seen_; }

 private:
  std::atomic<int> num_seen_ = 0;
};

// Also covers the loops over entries and rows that prepare a factorization and measure errors.
TEST(Factorization, KeepsToOneThread) {
  tbb::task_arena arena;
  arena.execute([] { tbb::parallel_for(0, 1000, [](int) {}); });  // starts the workers
  const SparseMatrix<double> matrix = std::get<SparseMatrix<double>>(generate(ModelProblem::convection3d, 30, 1));
  SolverOptions options;
  options.factorization.num_threads = 1;
  const std::vector<double> b(static_cast<std::size_t>(matrix.num_rows), 1);
  std::vector<double> x(b.size());
  const Helpers helpers(arena);
  arena.execute([&] {
    const Factorization<double> factorization(analyze<double>(matrix, options), matrix);
    EXPECT_EQ(factorization.solve(b, x).verdict, Verdict::solved);
  });
  EXPECT_EQ(helpers.num_seen(), 0);
}

}  // namespace
}  // namespace frond
