// SPDX-License-Identifier: BSD-3-Clause
// Factorizing and solving in one go on several ranks, for right-hand sides that are known beforehand.
#pragma once

#include <memory>
#include <vector>

#include "frond/solve.hpp"
#include "solver/mpi/distributed_factorization.hpp"

namespace frond {

struct DistributedOnceReport {
  OnceReport whole;                        ///< the same on every rank
  std::vector<RankRunCounts> rank_counts;  ///< [rank], of the last factorization; on every rank
};

/// Collective. Solves A X = B as solve_once() does in one process, with the same notes, on all ranks alike: of LU each rank keeps
/// its part of the factor that the backward sweep reads, and of a root on a grid, whose factors share their memory, its part
/// of both. Rows of B and X as for DistributedFactorization::solve_rows(), but for what a rank gives and asks for, which must not
/// overlap; exceptions as for DistributedFactorization. The option kept does not count.
template <Scalar S>
[[nodiscard]] FROND_API DistributedOnceReport solve_once_rows(const std::shared_ptr<const DistributedSystem<S>>& system,
                                                              const DenseRows<const S>& b, const DenseRows<S>& x);

/// The same where rank 0 has B and X, as DistributedFactorization::solve() takes them.
template <Scalar S>
[[nodiscard]] FROND_API DistributedOnceReport solve_once(const std::shared_ptr<const DistributedSystem<S>>& system,
                                                         DenseView<const S> b, DenseView<S> x,
                                                         SolutionPlace place = SolutionPlace::rank_0);

}  // namespace frond
