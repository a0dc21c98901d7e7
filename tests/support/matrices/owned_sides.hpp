// SPDX-License-Identifier: BSD-3-Clause
// Distributes right-hand sides and solutions over several ranks, and owns their memory.
#pragma once

#include <random>
#include <vector>

#include "frond/dense.hpp"
#include "solver/numerics/problem/dense_rows.hpp"

namespace frond::testing {

/// The part of B that a rank gives, and the part of X that it asks for.
template <Scalar S>
struct OwnedSides {
  std::vector<Index> b_rows;
  DenseMatrix<S> b;  // row k is row b_rows[k] of B
  std::vector<Index> x_rows;
  DenseMatrix<S> x;

  [[nodiscard]] RankSides<S> view();

  /// Returns the rows of the whole X that this rank asks for.
  [[nodiscard]] DenseMatrix<S> rows_asked_for(const DenseMatrix<S>& whole) const;
};

/// [rank]: rank 0 gives all of B; X is wanted on rank 0 or on all ranks.
template <Scalar S>
[[nodiscard]] std::vector<OwnedSides<S>> sides_on_rank_0(const DenseMatrix<S>& b, Rank num_ranks, bool all_ask);

/// [rank]: the rows of B are on randomly drawn ranks, every other row split into two halves. Some ranks give nothing or ask for
/// nothing; some rows are asked for by several ranks, or twice by one. Some rows of B are set to 0 and no rank gives them. The
/// numbers do not change if the halves are added.
template <Scalar S>
[[nodiscard]] std::vector<OwnedSides<S>> scattered_sides(DenseMatrix<S>& b, Rank num_ranks, std::mt19937& random);

}  // namespace frond::testing
