// SPDX-License-Identifier: BSD-3-Clause
// Right-hand sides and solutions of several ranks, with the memory for them.
#pragma once

#include <random>
#include <vector>

#include "frond/dense.hpp"
#include "solver/numerics/problem/dense_rows.hpp"

namespace frond::testing {

/// What one rank gives of B, and asks for of X.
template <Scalar S>
struct OwnedSides {
  std::vector<Index> b_rows;
  DenseMatrix<S> b;  // row k is row b_rows[k] of B
  std::vector<Index> x_rows;
  DenseMatrix<S> x;

  [[nodiscard]] RankSides<S> view();

  /// Those rows of the whole X.
  [[nodiscard]] DenseMatrix<S> rows_asked_for(const DenseMatrix<S>& whole) const;
};

/// [rank]: all of B on rank 0; X there, or on all ranks.
template <Scalar S>
[[nodiscard]] std::vector<OwnedSides<S>> sides_on_rank_0(const DenseMatrix<S>& b, Rank num_ranks, bool all_ask);

/// [rank]: rows of B on ranks that are drawn, every other one in two halves; ranks that give nothing or ask for nothing; rows that
/// several ranks ask for, or one twice. Some rows of B become 0, and nobody gives them. The numbers stay the same if halves are
/// added up.
template <Scalar S>
[[nodiscard]] std::vector<OwnedSides<S>> scattered_sides(DenseMatrix<S>& b, Rank num_ranks, std::mt19937& random);

}  // namespace frond::testing
