// SPDX-License-Identifier: BSD-3-Clause
// Generates sparse matrices of every symmetry and scalar for whole factorizations, and compares their factors.
#pragma once

#include <cstdint>
#include <span>

#include "factorization/factors.hpp"
#include "frond/analysis_options.hpp"
#include "frond/matrix.hpp"

namespace frond::test {

/// How the diagonal relates to the off-diagonal entries, which are random in [-1, 1].
enum class Values {
  dominant,      ///< larger than the sum of its row: definite
  random,        ///< also random
  zero_diagonal  ///< zero for two of three variables, but stored in the pattern: pivots are delayed
};

/// Postorder of the natural order; without amalgamation, trees are deep and fronts small.
[[nodiscard]] inline AnalysisOptions natural_order(bool amalgamates = false) {
  AnalysisOptions options;
  options.ordering.kind = OrderingKind::natural;
  options.amalgamate = amalgamates;
  return options;
}

/// A nx x ny x nz grid of variables, each coupled with its up to six neighbours.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> grid_matrix(Symmetry symmetry, Index nx, Index ny, Index nz, Values values, std::uint64_t seed);

/// Every off-diagonal position is present with probability `density`.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> random_sparse(Symmetry symmetry, Index order, double density, Values values, std::uint64_t seed);

/// [0 C^T; C D] of order 2 `size`: the first half has a zero diagonal, and its variable i is coupled with those of the second half
/// from max(i - 2, 0) on. In the natural order no variable of the first half can be eliminated before the second half, where each
/// variable allows one of them to be eliminated.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> saddle_matrix(Symmetry symmetry, Index size, std::uint64_t seed);

/// A chain of variables, coupled weakly with their neighbours and strongly with the last variable. Three of four have a zero
/// diagonal. In the natural order fronts are tiny, but those variables find no pivot before the last one: each front receives
/// everything that the fronts before it delayed.
[[nodiscard]] SparseMatrix<double> runaway_chain(Symmetry symmetry, Index order);

/// D A D, where D has powers of 2 drawn from eight decades.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> graded(SparseMatrix<S> a, std::uint64_t seed);

/// Blocks of `block` variables, coupled only through a separator of `block` variables, and each with some leaves of its own. Small
/// pivots appear in a block whose columns looked harmless before, apart from the couplings with the separator: the bounds of the
/// entries that slaves of a block's front hold are then too small.
[[nodiscard]] SparseMatrix<double> deceptive_blocks(Index num_blocks, Index block, std::uint64_t seed);

/// Uncoupled cubic grids with sizes[k] points along their edges, dominant: a forest of leaf subtrees.
[[nodiscard]] SparseMatrix<double> uncoupled_grids(Symmetry symmetry, std::span<const Index> sizes, std::uint64_t seed);

/// The Laplacian of a randomly weighted nx x ny grid without boundary: its rows add up to zero, its rank is n - 1.
[[nodiscard]] SparseMatrix<double> singular_laplacian(Symmetry symmetry, Index nx, Index ny, std::uint64_t seed);

/// True if all fronts have the same sizes and the same bits, unused entries included.
template <Scalar S>
[[nodiscard]] bool same_bits(const Factors<S>& a, const Factors<S>& b);

}  // namespace frond::test
