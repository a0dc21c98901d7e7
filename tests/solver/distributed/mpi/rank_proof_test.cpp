// SPDX-License-Identifier: BSD-3-Clause
// Tests proofs of the rank on several ranks: all ranks must find the rank for which the matrix was constructed.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "tests/solver/distributed/mpi/spread_options.hpp"
#include "tests/support/matrices/kkt_matrices.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::kkt_matrix;

class RankProofOnRanksTest : public ::testing::Test {
 protected:
  [[nodiscard]] SystemReport report_of(const SparseMatrix<double>& matrix, const SolverOptions& options) const {
    const SystemMatrix<double> given(matrix);
    const auto system = std::make_shared<const DistributedSystem<double>>(ranks_, ranks_.rank() == 0 ? &given : nullptr, options);
    SystemReport report = factorize_on_ranks<double>(system).report();
    for (const RankProof& other : all_gather_values(ranks_, report.rank)) {
      EXPECT_EQ(other.status, report.rank.status);
      EXPECT_EQ(other.lowest, report.rank.lowest);
      EXPECT_EQ(other.highest, report.rank.highest);
      EXPECT_EQ(other.num_vectors, report.rank.num_vectors);
    }
    return report;
  }

  Communicator ranks_ = mpi_world(test::mpi_gate());
};

TEST_F(RankProofOnRanksTest, OfSaddlePointsIsNotLostInTheRangeOfTheirEntries) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const SystemReport report = report_of(kkt_matrix({.seed = seed, .exponent = 16, .most_scaled = 60}), testing::spread());
    EXPECT_EQ(report.factorization.status, FactorizationStatus::success);
    EXPECT_EQ(report.rank.lowest, 50);
    EXPECT_EQ(report.factorization.inertia.positive, 30);
    EXPECT_EQ(report.factorization.inertia.negative, 20);
  }
}

TEST_F(RankProofOnRanksTest, FindsAsManyNullVectorsAsRowsDepend) {
  for (const Index dependent : {1, 5}) {
    const SystemReport report = report_of(kkt_matrix({.seed = 200, .exponent = 12, .num_dependent = dependent}), testing::spread());
    EXPECT_EQ(report.rank.status, RankVerdict::singular);
    EXPECT_EQ(report.rank.lowest, 50);
    EXPECT_EQ(report.rank.highest, 50);
    EXPECT_EQ(report.rank.num_vectors, dependent);
    EXPECT_LE(report.rank.number, kSingularTolerance<double>);
    EXPECT_EQ(report.factorization.inertia.zero, dependent);
  }
}

TEST_F(RankProofOnRanksTest, IsOfTheBlockThatASchurComplementLeavesOut) {
  for (const Index dependent : {0, 3}) {
    const auto matrix = testing::bordered(kkt_matrix({.seed = 300, .exponent = 12, .num_dependent = dependent}), 5);
    SolverOptions options = testing::spread();
    for (Index k = matrix.num_cols - 5; k < matrix.num_cols; ++k) {
      options.analysis.schur_variables.push_back(k);
    }
    for (const KeptFactors kept : {KeptFactors::all, KeptFactors::none}) {
      options.factorization.kept = kept;
      const SystemReport report = report_of(matrix, options);
      EXPECT_TRUE(report.rank.is_certain());
      EXPECT_EQ(report.rank.status == RankVerdict::singular, dependent > 0);
      EXPECT_EQ(report.rank.lowest, 50);
      EXPECT_EQ(report.rank.highest, 50);
      EXPECT_EQ(report.factorization.inertia.zero, dependent);
      EXPECT_EQ(report.factorization.inertia.positive, 30);
    }
  }
}

// The requested scales lose 20 digits here: all ranks together try other ways.
TEST_F(RankProofOnRanksTest, IsNotGivenWhereScalesLoseIt) {
  SolverOptions options = testing::spread();
  options.scaling.kind = ScalingKind::equilibrate;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const SystemReport report = report_of(kkt_matrix({.seed = seed, .exponent = 12}), options);
    EXPECT_EQ(report.factorization.status, FactorizationStatus::success);
    EXPECT_EQ(report.rank.highest, 50);
  }
}

// Ranks with different budgets would diverge where one is exceeded.
TEST_F(RankProofOnRanksTest, TakesTheBudgetOfRank0) {
  SolverOptions options = testing::spread();
  if (ranks_.rank() == 0) {
    options.factorization.budget.flops = 1000;
  }
  const auto matrix = testing::random_matrix<double>(120, 4, Symmetry::symmetric, testing::Flavour::zero_diagonal, 11);
  EXPECT_THROW((void)report_of(matrix, options), BudgetError);
}

}  // namespace
}  // namespace frond
