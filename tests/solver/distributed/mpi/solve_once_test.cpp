// SPDX-License-Identifier: BSD-3-Clause
// Tests right-hand sides eliminated with the matrix on several ranks: distributed rows, errors on one rank, and memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/mapping/mapping_estimate.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "frond/solve.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/solver/distributed/mpi/spread_options.hpp"
#include "tests/support/matrices/owned_sides.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::Flavour;
using testing::OwnedSides;
using testing::spread;
using testing::spread_with_grid;

template <class Matrix>
auto view(Matrix& matrix) {
  using S = std::remove_pointer_t<decltype(matrix.values.data())>;
  return DenseView<S>{matrix.values.data(), matrix.num_rows, matrix.num_cols, std::max(matrix.num_rows, Index{1})};
}

template <Scalar S>
struct Solved {
  OnceReport report;
  DenseMatrix<S> x;
};

template <class S>
class DistributedOnce : public ::testing::Test {
 protected:
  [[nodiscard]] std::shared_ptr<const DistributedSystem<S>> analyse(const SystemMatrix<S>& matrix,
                                                                    const SolverOptions& options) const {
    return std::make_shared<const DistributedSystem<S>>(ranks_, ranks_.rank() == 0 ? &matrix : nullptr, options);
  }

  // Solves for B of rank 0, with X on all ranks.
  [[nodiscard]] Solved<S> solve(const SystemMatrix<S>& matrix, const DenseMatrix<S>& b, const SolverOptions& options) const {
    Solved<S> solved{{}, DenseMatrix<S>(b.num_rows, b.num_cols)};
    const auto system = analyse(matrix, options);
    solved.report = solve_once<S>(Analysis(system->analysis()), system->matrix(), view(b), view(solved.x));
    expect_same_everywhere(solved.report.system.notes);
    return solved;
  }

  void expect_same_everywhere(const std::vector<std::string>& notes) const {
    std::string text;
    for (const std::string& note : notes) {
      text += note + "\n";
    }
    for (const std::vector<std::byte>& other : all_gather(ranks_, std::as_bytes(std::span(text)))) {
      EXPECT_EQ(std::string(reinterpret_cast<const char*>(other.data()), other.size()), text);
    }
  }

  // Expects the error on every rank.
  void expect_usage_error(const std::function<void()>& call) const {
    EXPECT_THROW(call(), UsageError);
    (void)all_gather(ranks_, {});
  }

  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  Communicator ranks_ = mpi_world(test::mpi_gate());
};
TYPED_TEST_SUITE(DistributedOnce, test::Scalars);

TYPED_TEST(DistributedOnce, FrontsAreSpreadMeanwhile) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = test::grid_matrix<S>(Symmetry::general, 6, 6, 6, test::Values::dominant, 1);
  const DenseMatrix<S> b = testing::random_dense<S>(216, 3, 2);
  Index num_by_rows = 0;
  Index num_on_grids = 0;
  for (const SolverOptions& options : {spread(), spread_with_grid(this->ranks_)}) {
    const Mapping mapping = this->analyse(SystemMatrix<S>(matrix), options)->mapping(Method::lu);
    num_by_rows += mapping.num_nodes_of(NodeType::row_distributed);
    num_on_grids += mapping.num_nodes_of(NodeType::grid_distributed);
    EXPECT_EQ(this->solve(SystemMatrix<S>(matrix), b, options).report.solve.verdict, Verdict::solved);
  }
  if (this->ranks_.num_ranks() > 1) {
    EXPECT_GT(num_by_rows, 0);
    EXPECT_EQ(num_on_grids > 0, this->ranks_.gate().level() >= MpiThreadLevel::serialized);
  }
}

TYPED_TEST(DistributedOnce, RowsAreGivenAndAskedForAnywhere) {
  using S = TypeParam;
  std::uint32_t seed = std::random_device{}();
  broadcast(this->ranks_, 0, std::as_writable_bytes(std::span(&seed, 1)));
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const SparseMatrix<S> matrix = testing::random_matrix<S>(150, 4, Symmetry::general, Flavour::dominant, 1);
  DenseMatrix<S> b = testing::random_dense<S>(150, 3, seed);
  OwnedSides<S> mine = testing::scattered_sides(b, this->ranks_.num_ranks(), random)[static_cast<std::size_t>(this->ranks_.rank())];
  const SystemMatrix<S> given(matrix);
  const Analysis analysis(this->analyse(given, spread())->analysis());
  EXPECT_EQ(solve_once_rows<S>(analysis, given, mine.view().b, mine.view().x).solve.verdict, Verdict::solved);
  const DenseMatrix<S> expected = mine.rows_asked_for(this->solve(given, b, spread()).x);
  for (std::size_t k = 0; k < expected.values.size(); ++k) {
    EXPECT_LE(std::abs(mine.x.values[k] - expected.values[k]), 1000 * this->kEps);  // slaves are chosen by load
  }
}

// Every rank throws, whichever rank passed the invalid part.
TYPED_TEST(DistributedOnce, WhatIsWrongOnOneRankIsThrownOnAll) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(100, 3, Symmetry::general, Flavour::dominant, 1);
  const SystemMatrix<S> given(matrix);
  const Analysis analysis(this->analyse(given, spread())->analysis());
  const bool is_last = this->ranks_.rank() == this->ranks_.num_ranks() - 1;
  const std::vector<Index> rows = {5};
  const std::vector<Index> no_such_row = {is_last ? 100 : 5};
  DenseMatrix<S> b(1, 1);
  DenseMatrix<S> x(1, 1);
  this->expect_usage_error([&] {
    (void)solve_once_rows<S>(analysis, given, {no_such_row, view(std::as_const(b))}, {rows, view(x)});
  });
  b.values[0] = is_last ? std::numeric_limits<RealOf<S>>::quiet_NaN() : RealOf<S>(1);
  this->expect_usage_error([&] { (void)solve_once_rows<S>(analysis, given, {rows, view(std::as_const(b))}, {rows, view(x)}); });
}

TYPED_TEST(DistributedOnce, LackOfMemoryOnOneRankEndsAll) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(150, 4, Symmetry::general, Flavour::dominant, 1);
  const DenseMatrix<S> b = testing::random_dense<S>(150, 2, 2);
  SolverOptions options = spread();
  options.factorization.memory_limit = this->ranks_.rank() == this->ranks_.num_ranks() - 1 ? 1000 : Count{1} << 30;
  EXPECT_THROW((void)this->solve(SystemMatrix<S>(matrix), b, options), MemoryError);
  (void)all_gather(this->ranks_, {});
}

// Keeps half of the entries, apart from the whole root of a grid, and lowers the memory peak as estimated.
TEST(DistributedOnceMemory, KeepsTheFactorOfTheBackwardSweep) {
  const Communicator ranks = mpi_world(test::mpi_gate());
  const SparseMatrix<double> matrix = testing::laplacian<double>(18);
  SolverOptions options;
  options.factorization.num_threads = 1;
  options.method = Method::lu;
  options.analysis.mapping.rows.min_front_flops = 1e5;
  options.analysis.mapping.grid.ranks = {0};
  const SystemMatrix<double> given(matrix);
  const auto system = std::make_shared<const DistributedSystem<double>>(ranks, ranks.rank() == 0 ? &given : nullptr, options);
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 1, 2);
  DenseMatrix<double> x(matrix.num_rows, 1);
  const OnceReport half = solve_once<double>(Analysis(system->analysis()), given, view(b), view(x));
  EXPECT_EQ(half.solve.verdict, Verdict::solved);
  const auto all = factorize_on_ranks<double>(system);
  EXPECT_LT(half.system.factorization.factor_bytes, all.report().factorization.factor_bytes * 65 / 100);
  EXPECT_EQ(half.system.factorization.factor_entries, all.report().factorization.factor_entries);
  const auto sum_of_peaks = [](const std::vector<RankReport>& reports) {
    Count sum = 0;
    for (const RankReport& rank : reports) {
      sum += rank.peak_bytes;
    }
    return sum;
  };
  EXPECT_LT(sum_of_peaks(half.ranks), sum_of_peaks(all.rank_reports()) * 9 / 10);
  const MappingEstimate estimate =
      estimate_mapping(system->symbolic()->tree(), system->mapping(Method::lu), Method::lu, sizeof(double), KeptFactors::backward);
  EXPECT_LT(estimate.total_factor_bytes(), static_cast<double>(half.system.factorization.factor_bytes));
  EXPECT_GT(estimate.total_factor_bytes(), 0.8 * static_cast<double>(half.system.factorization.factor_bytes));
}

}  // namespace
}  // namespace frond
