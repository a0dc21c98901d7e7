// SPDX-License-Identifier: BSD-3-Clause
// Tests systems on several ranks that keep no factors: the report must be that of a run that keeps them, and every rank refuses the
// rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "analysis/mapping/mapping_estimate.hpp"
#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "matrices/symmetry.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/solver/distributed/mpi/spread_options.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::Flavour;

SolverOptions spread(KeptFactors kept) {
  SolverOptions options = testing::spread();
  options.factorization.kept = kept;
  return options;
}

template <class S>
class DistributedKeptFactors : public ::testing::Test {
 protected:
  [[nodiscard]] SolverOptions with_grid(KeptFactors kept) const {
    SolverOptions options = testing::spread_with_grid(ranks_);
    options.factorization.kept = kept;
    return options;
  }

  [[nodiscard]] std::unique_ptr<Factorization<S>> factorize(const SparseMatrix<S>& matrix, const SolverOptions& options) const {
    const SystemMatrix<S> given(matrix);
    return std::make_unique<Factorization<S>>(factorize_on_ranks<S>(
        std::make_shared<const DistributedSystem<S>>(ranks_, ranks_.rank() == 0 ? &given : nullptr, options)));
  }

  // Exact results must be equal; determinants and pivots agree to rounding, since slaves are chosen by load.
  void expect_same(const FactorizationReport& none, const FactorizationReport& all) const {
    EXPECT_EQ(none.status, all.status);
    EXPECT_EQ(none.inertia.positive, all.inertia.positive);
    EXPECT_EQ(none.inertia.negative, all.inertia.negative);
    EXPECT_EQ(none.inertia.zero, all.inertia.zero);
    EXPECT_EQ(none.null_pivots, all.null_pivots);
    EXPECT_EQ(none.num_delayed_pivots, all.num_delayed_pivots);
    EXPECT_EQ(none.num_two_by_two, all.num_two_by_two);
    EXPECT_EQ(none.factor_entries, all.factor_entries);
    EXPECT_EQ(none.flops, all.flops);
    EXPECT_EQ(none.levels.size(), all.levels.size());
    EXPECT_NEAR(none.smallest_pivot / all.smallest_pivot, 1, kTolerance);
    EXPECT_NEAR(none.pivot_growth / all.pivot_growth, 1, kTolerance);
    EXPECT_EQ(none.determinant.exponent, all.determinant.exponent);
    EXPECT_NEAR(std::abs(none.determinant.mantissa - all.determinant.mantissa), 0, kTolerance);
    EXPECT_GT(all.factor_bytes, 0);
    EXPECT_EQ(none.factor_bytes, 0);
  }

  void expect_refusal(const char* what, const std::function<void()>& call) const {
    bool is_refused = false;
    try {
      call();
    } catch (const UsageError& error) {
      is_refused = std::string(error.what()).find("KeptFactors::all") != std::string::npos;
    }
    EXPECT_TRUE(is_refused) << what;
  }

  static constexpr double kTolerance = 1e5 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  Communicator ranks_ = mpi_world(test::mpi_gate());
};
TYPED_TEST_SUITE(DistributedKeptFactors, test::Scalars);

TYPED_TEST(DistributedKeptFactors, ReportsAreTheSame) {
  using S = TypeParam;
  Index num_by_rows = 0;
  Index num_on_grids = 0;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal}) {
      SCOPED_TRACE(::testing::Message() << to_string(symmetry) << ", flavour " << static_cast<int>(flavour));
      const SparseMatrix<S> matrix = testing::random_matrix<S>(150, 4, symmetry, flavour, 1);
      for (const bool has_grid : {false, true}) {
        const auto all = this->factorize(matrix, has_grid ? this->with_grid(KeptFactors::all) : spread(KeptFactors::all));
        const auto none = this->factorize(matrix, has_grid ? this->with_grid(KeptFactors::none) : spread(KeptFactors::none));
        this->expect_same(none->report().factorization, all->report().factorization);
        EXPECT_EQ(none->report().notes, all->report().notes);
        if (none->report().factorization.status == FactorizationStatus::success) {
          EXPECT_TRUE(rank_backend_of(*none).factors()->rows.empty());
          EXPECT_FALSE(rank_backend_of(*none).factors()->root.has_value());
        }
        num_by_rows += rank_backend_of(*none).mapping().num_nodes_of(NodeType::row_distributed);
        num_on_grids += rank_backend_of(*none).mapping().num_nodes_of(NodeType::grid_distributed);
      }
    }
  }
  if (this->ranks_.num_ranks() > 1) {
    EXPECT_GT(num_by_rows, 0);
    EXPECT_EQ(num_on_grids > 0, this->ranks_.gate().level() >= MpiThreadLevel::serialized);
  }
}

// Null pivots cause a second factorization, and gather a root on a grid.
TYPED_TEST(DistributedKeptFactors, SingularMatricesToo) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const SparseMatrix<S> matrix = testing::singular_matrix<S>(120, 3, symmetry, 1);
    for (const bool has_grid : {false, true}) {
      const auto all = this->factorize(matrix, has_grid ? this->with_grid(KeptFactors::all) : spread(KeptFactors::all));
      const auto none = this->factorize(matrix, has_grid ? this->with_grid(KeptFactors::none) : spread(KeptFactors::none));
      EXPECT_EQ(none->report().factorization.null_pivots.size(), 3U);
      this->expect_same(none->report().factorization, all->report().factorization);
    }
  }
}

TYPED_TEST(DistributedKeptFactors, SchurComplementStays) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const SparseMatrix<S> matrix = testing::random_matrix<S>(150, 4, symmetry, Flavour::dominant, 1);
    SolverOptions options = spread(KeptFactors::none);
    options.analysis.schur_variables = {20, 3, 77, 100, 101};
    const auto none = this->factorize(matrix, options);
    options.factorization.kept = KeptFactors::all;
    const auto all = this->factorize(matrix, options);
    const DenseMatrix<S> expected = all->schur_complement();
    const DenseMatrix<S> complement = none->schur_complement();
    ASSERT_EQ(complement.values.size(), expected.values.size());
    for (std::size_t k = 0; k < expected.values.size(); ++k) {
      EXPECT_NEAR(std::abs(complement.values[k] - expected.values[k]), 0, this->kTolerance);
    }
    EXPECT_EQ(none->schur_part().is_in_grid, all->schur_part().is_in_grid);
    DenseMatrix<S> b(150, 1);
    DenseMatrix<S> condensed(5, 1);
    this->expect_refusal("condense", [&] { none->condense(view_of(b), view_of(condensed)); });
    this->expect_refusal("expand", [&] { none->expand(view_of(b), view_of(condensed), view_of(b)); });
    this->expect_refusal("solve", [&] { (void)none->solve(view_of(b), view_of(b)); });
  }
}

// Every rank refuses the call, and none waits for the others.
TYPED_TEST(DistributedKeptFactors, WhatNeedsFactorsIsRefused) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = testing::random_matrix<S>(20, 4, Symmetry::general, Flavour::dominant, 1);
  const auto none = this->factorize(matrix, spread(KeptFactors::none));
  DenseMatrix<S> x(20, 1);
  this->expect_refusal("solve", [&] { (void)none->solve(view_of(x), view_of(x)); });
  this->expect_refusal("inverse", [&] { (void)none->inverse_entries(matrix.pattern()); });
  this->expect_refusal("null space", [&] { (void)none->null_space(); });
  this->expect_refusal("part", [&] { none->solve_part(FactorPart::lower, Operation::plain, view_of(x)); });
  this->expect_refusal("save", [&] { none->save("no.factors"); });
  this->expect_refusal("half", [&] { (void)this->factorize(matrix, spread(KeptFactors::backward)); });
}

// The memory is that of the active fronts, on every rank, and is predicted. Each rank's peak depends on when the others are ready,
// so sums are compared.
TEST(DistributedKeptFactorsMemory, PeakFallsAndIsPredicted) {
  const Communicator ranks = mpi_world(test::mpi_gate());
  const SparseMatrix<double> matrix = testing::laplacian<double>(18);
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    std::vector<Count> peaks;
    for (const KeptFactors kept : {KeptFactors::all, KeptFactors::none}) {
      SolverOptions options;
      options.factorization.num_threads = 1;
      options.factorization.kept = kept;
      options.method = method;
      options.analysis.mapping.rows.min_front_flops = 1e5;
      const SystemMatrix<double> given(matrix);
      const auto factorization = factorize_on_ranks<double>(
          std::make_shared<const DistributedSystem<double>>(ranks, ranks.rank() == 0 ? &given : nullptr, options));
      const AssemblyTree& tree = rank_backend_of(factorization).system().symbolic()->tree();
      const MappingEstimate estimate =
          estimate_mapping(tree, rank_backend_of(factorization).mapping(), method, sizeof(double), kept);
      Count sum = 0;
      Count sum_of_estimates = 0;
      for (std::size_t rank = 0; rank < rank_backend_of(factorization).rank_counts().size(); ++rank) {
        sum += rank_backend_of(factorization).rank_counts()[rank].peak_bytes;
        sum_of_estimates += estimate.ranks[rank].peak_active_bytes;
        if (kept == KeptFactors::none) {
          EXPECT_EQ(estimate.ranks[rank].factor_bytes, 0);
          EXPECT_EQ(rank_backend_of(factorization).rank_counts()[rank].peak_bytes,
                    rank_backend_of(factorization).rank_counts()[rank].peak_active_bytes);
        }
      }
      EXPECT_TRUE(kept == KeptFactors::all || sum < 3 * sum_of_estimates) << sum << " bytes, estimated " << sum_of_estimates;
      peaks.push_back(sum);
    }
    EXPECT_LT(peaks[1], peaks[0] * 9 / 10) << "method " << static_cast<int>(method) << ", bytes " << peaks[0] << " and "
                                           << peaks[1];
  }
}

}  // namespace
}  // namespace frond
