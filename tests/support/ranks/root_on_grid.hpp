// SPDX-License-Identifier: BSD-3-Clause
// What every solver of the root must do, whoever implements it: checks against dense references.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "factorization/root/root_solver.hpp"
#include "frond/dense.hpp"

namespace frond::test {

/// The solver of a rank of the grid.
template <Scalar S>
struct GridMember {
  Rank grid_rank = 0;
  std::unique_ptr<RootSolver<S>> solver;
};

/// Makes the solvers of those ranks of a grid that live in this process.
template <Scalar S>
using MakeMembers = std::function<std::vector<GridMember<S>>(GridShape shape, Method method, RealOf<S> null_pivot)>;

/// A dense matrix on a grid. In every process of the grid the same is called in the same order; in others nothing happens.
template <Scalar S>
class RootOnGrid {
 public:
  /// Above the diagonal of a matrix for Cholesky there are NaNs on the grid.
  RootOnGrid(const MakeMembers<S>& make, Method method, const DenseMatrix<S>& a, Index block_size, GridShape shape,
             RealOf<S> null_pivot);

  [[nodiscard]] bool has_members() const { return !members_.empty(); }
  [[nodiscard]] bool has_first() const { return has_members() && members_.front().grid_rank == 0; }

  /// Expects that all members learn the same, and only when all have called.
  RootOutcome factorize();

  /// On the first rank: what is on the grid now, or was before the factorization.
  [[nodiscard]] DenseMatrix<S> gather();
  [[nodiscard]] DenseMatrix<S> gather_original();

  /// op(A)^-1 b, or with one of its factors, on the first rank.
  [[nodiscard]] DenseMatrix<S> solve(RootFactors factors, Operation operation, const DenseMatrix<S>& b);

 private:
  [[nodiscard]] DenseMatrix<S> gather(std::vector<std::vector<S>>& memory);
  [[nodiscard]] RootPart<S> part(std::size_t member, std::vector<std::vector<S>>& memory) const;

  RootLayout layout_;
  std::vector<GridMember<S>> members_;
  std::vector<std::vector<S>> memory_;    // of each member
  std::vector<std::vector<S>> original_;  // the same, before factorization
};

/// Factors, solutions with both of them and with one at a time, of a random matrix in blocks of 8.
template <Scalar S>
void check_factors_and_solutions(const MakeMembers<S>& make, GridShape shape, Method method, Index order, std::uint32_t seed);

/// Cholesky names the first pivot that is negative, zero, below the threshold or no number.
template <Scalar S>
void check_not_positive_definite(const MakeMembers<S>& make, GridShape shape, std::uint32_t seed);

/// LU rejects singular matrices, which the first rank then factorizes from what it has gathered.
template <Scalar S>
void check_rejected(const MakeMembers<S>& make, GridShape shape, std::uint32_t seed);

/// LU rejects a matrix with a NaN.
template <Scalar S>
void check_no_numbers(const MakeMembers<S>& make, GridShape shape, std::uint32_t seed);

}  // namespace frond::test
