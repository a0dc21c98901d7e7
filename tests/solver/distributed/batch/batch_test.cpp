// SPDX-License-Identifier: BSD-3-Clause
// Tests batches of systems: each is solved once, by any worker, and an error in one affects no other.
#include "frond/batch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <stdexcept>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "matrices/generate.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/observers.hpp"

namespace frond {
namespace {

// Returns a Poisson problem of one pattern, with another shift for each k.
SparseMatrix<double> shifted(Count k, Index side = 8) {
  SparseMatrix<double> matrix = std::get<SparseMatrix<double>>(generate(ModelProblem::laplacian3d7, side, 1));
  testing::for_each_entry(matrix, [&](Index i, Index j, double& value) { value += i == j ? static_cast<double>(k) : 0; });
  return matrix;
}

SolveReport solve(const Batch& batch, const SparseMatrix<double>& matrix) {
  const std::vector<double> b(static_cast<std::size_t>(matrix.num_rows), 1.0);
  std::vector<double> x(b.size());
  return batch.solve<double>(matrix, column_view(std::span(b)), column_view(std::span(x)));
}

TEST(Batch, SolvesEachSystemOnceWithOneAnalysisOrMany) {
  for (const bool has_one_pattern : {false, true}) {
    for (const std::string& rule : chunk_kind_names()) {
      const Batch batch({.num_workers = 3, .has_one_pattern = has_one_pattern, .chunks = parse_chunk_kind(rule)});
      EXPECT_EQ(batch.num_workers(), 3);
      std::vector<std::atomic<int>> times(23);
      batch.run(23, [&](Count k) {
        const SolveReport report = solve(batch, shifted(k));
        EXPECT_EQ(report.verdict, Verdict::solved) << rule;
        ++times[k];
      });
      for (const std::atomic<int>& count : times) {
        EXPECT_EQ(count, 1) << rule;
      }
    }
  }
}

TEST(Batch, AnalysesTheFirstMatrixAloneWhereAllHaveItsPattern) {
  const Batch batch({.num_workers = 1, .has_one_pattern = true});
  batch.run(2, [&](Count k) {
    if (k == 0) {
      EXPECT_EQ(solve(batch, shifted(0)).verdict, Verdict::solved);
    } else {
      EXPECT_THROW((void)solve(batch, shifted(0, 9)), UsageError) << "another order";
    }
  });
}

TEST(Batch, GoesOnWithoutAnAnalysisThatFailed) {
  const Batch batch({.num_workers = 1, .has_one_pattern = true});
  batch.run(2, [&](Count k) {
    SparseMatrix<double> matrix = shifted(0);
    if (k == 0) {
      matrix.values.front() = std::numeric_limits<double>::quiet_NaN();
      EXPECT_THROW((void)solve(batch, matrix), UsageError);
    } else {
      EXPECT_EQ(solve(batch, matrix).verdict, Verdict::solved);
    }
  });
}

TEST(Batch, BeginsNothingMoreWhenAWorkerThrows) {
  const Batch batch({.num_workers = 2});
  std::atomic<int> begun = 0;
  EXPECT_THROW(batch.run(1000,
                         [&](Count) {
                           ++begun;
                           throw std::runtime_error("no more");
                         }),
               std::runtime_error);
  EXPECT_LE(begun, 2);
}

TEST(Batch, StopsBetweenSystemsWhenAsked) {
  int num_done = 0;
  const auto observer = std::make_shared<testing::Calls>(&testing::Calls::stop, [&] { return num_done >= 3; });
  const Batch batch({.solver = {.observer = observer}, .num_workers = 1});
  EXPECT_THROW(batch.run(10, [&](Count) { ++num_done; }), StoppedError);
  EXPECT_EQ(num_done, 3);
}

TEST(Batch, DividesTheMemoryAmongWorkers) {
  SolverOptions options;
  options.factorization.memory_limit = 3'000'000;
  const SparseMatrix<double> matrix = shifted(0, 14);
  const Batch alone({.solver = options, .num_workers = 1});
  EXPECT_EQ(solve(alone, matrix).verdict, Verdict::solved);
  const Batch several({.solver = options, .num_workers = 8});
  EXPECT_THROW((void)solve(several, matrix), MemoryError);
}

TEST(Batch, OfNoSystemsOrBadOptions) {
  int num_calls = 0;
  Batch().run(0, [&](Count) { ++num_calls; });
  EXPECT_EQ(num_calls, 0);
  EXPECT_GE(Batch().num_workers(), 1);
  EXPECT_THROW((void)Batch({.num_workers = -1}), UsageError);
  SolverOptions with_schur;
  with_schur.analysis.schur_variables = {1};
  EXPECT_THROW((void)Batch({.solver = with_schur}), UsageError);
}

TEST(Batch, TakesComplexSystems) {
  const auto matrix = std::get<SparseMatrix<std::complex<double>>>(generate(ModelProblem::helmholtz3d, 6, 1));
  const Batch batch({.num_workers = 2});
  batch.run(4, [&](Count) {
    const std::vector<std::complex<double>> b(static_cast<std::size_t>(matrix.num_rows), 1.0);
    std::vector<std::complex<double>> x(b.size());
    EXPECT_EQ(batch.solve<std::complex<double>>(matrix, column_view(std::span(b)), column_view(std::span(x))).verdict,
              Verdict::solved);
  });
}

}  // namespace
}  // namespace frond
