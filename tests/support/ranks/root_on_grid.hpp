// SPDX-License-Identifier: BSD-3-Clause
// Checks any solver of the root against dense references.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "factorization/root/root_solver.hpp"
#include "frond/dense.hpp"

namespace frond::test {

/// The solver of one rank of the grid.
template <Scalar S>
struct GridMember {
  Rank grid_rank = 0;
  std::unique_ptr<RootSolver<S>> solver;
};

/// Makes the solvers of those ranks of the grid that live in this process.
template <Scalar S>
using MakeMembers = std::function<std::vector<GridMember<S>>(GridShape shape, Method method, RealOf<S> null_pivot)>;

/// A dense matrix on a grid. All processes of the grid make the same calls in the same order; in other processes nothing happens.
template <Scalar S>
class RootOnGrid {
 public:
  /// Fills the upper triangle of a matrix for Cholesky with NaNs on the grid.
  RootOnGrid(const MakeMembers<S>& make, Method method, const DenseMatrix<S>& a, Index block_size, GridShape shape,
             RealOf<S> null_pivot);

  [[nodiscard]] bool has_members() const { return !members_.empty(); }
  [[nodiscard]] bool has_first() const { return has_members() && members_.front().grid_rank == 0; }

  /// Expects that all members get the same outcome, and only after all have called.
  RootOutcome factorize();

  /// Returns, on the first rank, what is on the grid now, or what was there before the factorization.
  [[nodiscard]] DenseMatrix<S> gather();
  [[nodiscard]] DenseMatrix<S> gather_original();

  /// Returns op(A)^-1 b, or the solve with one of its factors, on the first rank.
  [[nodiscard]] DenseMatrix<S> solve(RootFactors factors, Operation operation, const DenseMatrix<S>& b);

 private:
  [[nodiscard]] DenseMatrix<S> gather(std::vector<std::vector<S>>& memory);
  [[nodiscard]] RootPart<S> part(std::size_t member, std::vector<std::vector<S>>& memory) const;

  RootLayout layout_;
  std::vector<GridMember<S>> members_;
  std::vector<std::vector<S>> memory_;    // of each member
  std::vector<std::vector<S>> original_;  // the same, before factorization
};

/// Checks factors and solutions, with both factors and with one at a time, of a random matrix in blocks of 8.
template <Scalar S>
void check_factors_and_solutions(const MakeMembers<S>& make, GridShape shape, Method method, Index order, std::uint32_t seed);

/// Checks that Cholesky reports the first pivot that is negative, zero, below the threshold or NaN.
template <Scalar S>
void check_not_positive_definite(const MakeMembers<S>& make, GridShape shape, std::uint32_t seed);

/// Checks that LU rejects singular matrices, which the first rank then factorizes from the gathered entries.
template <Scalar S>
void check_rejected(const MakeMembers<S>& make, GridShape shape, std::uint32_t seed);

/// Checks that LU rejects a matrix with a NaN.
template <Scalar S>
void check_no_numbers(const MakeMembers<S>& make, GridShape shape, std::uint32_t seed);

}  // namespace frond::test
