// SPDX-License-Identifier: BSD-3-Clause
// Tests the memory of ranks that keep all, half, or none of the factors, against estimates.
#include <gtest/gtest.h>

#include <vector>

#include "analysis/mapping/mapping_estimate.hpp"
#include "frond/solve.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"

namespace frond {
namespace {

using MemoryOfRanks = testing::OnRanks;

// The memory is that of the active fronts, on every rank, and is predicted. Each rank's peak depends on when the others are ready,
// so sums are compared.
TEST_F(MemoryOfRanks, FallsWithoutFactorsAsPredicted) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(18);
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    std::vector<Count> peaks;
    for (const KeptFactors kept : {KeptFactors::all, KeptFactors::none}) {
      SolverOptions options;
      options.factorization.num_threads = 1;
      options.factorization.kept = kept;
      options.method = method;
      options.analysis.mapping.min_front_flops = 1e5;
      const auto factorization = factorize<double>(matrix, options);
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

// Keeps half of the entries, apart from the whole root of a grid, and lowers the memory peak as estimated.
TEST_F(MemoryOfRanks, HoldsTheFactorOfTheBackwardSweepAlone) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(18);
  SolverOptions options;
  options.factorization.num_threads = 1;
  options.method = Method::lu;
  options.analysis.mapping.min_front_flops = 1e5;
  options.analysis.mapping.grid_ranks = {0};
  const SystemMatrix<double> given(matrix);
  const auto system = system_of(given, options);
  const DenseMatrix<double> b = testing::random_dense<double>(matrix.num_rows, 1, 2);
  DenseMatrix<double> x(matrix.num_rows, 1);
  const OnceReport half = solve_once<double>(Analysis(system->analysis()), given, view_of(b), view_of(x));
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
  const double factor_bytes = estimate.factor_bytes.mean * static_cast<double>(estimate.ranks.size());
  EXPECT_LT(factor_bytes, static_cast<double>(half.system.factorization.factor_bytes));
  EXPECT_GT(factor_bytes, 0.8 * static_cast<double>(half.system.factorization.factor_bytes));
}

}  // namespace
}  // namespace frond
