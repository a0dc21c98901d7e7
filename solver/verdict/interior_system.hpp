// SPDX-License-Identifier: BSD-3-Clause
// What is eliminated where a Schur complement is left, as a system of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "analysis/structural_rank.hpp"
#include "matrices/build.hpp"
#include "matrices/sparse_matrix.hpp"
#include "solver/null_space.hpp"
#include "solver/verdict/rank_proof.hpp"

namespace frond {

/// A11 (+) I: A with the identity in the rows and columns of the Schur variables, so that unknowns keep their numbers. Its rank is
/// that of A11 and the number of these variables.
template <Scalar S>
class InteriorSystem {
 public:
  /// A copy of what it needs of `whole`. O(entries).
  InteriorSystem(const MatrixView<S>& whole, std::span<const Index> schur_variables)
      : schur_variables_(schur_variables.begin(), schur_variables.end()) {
    const PatternView& pattern = whole.pattern;
    std::vector<char> is_kept(static_cast<std::size_t>(pattern.num_cols), 0);
    for (const Index variable : schur_variables_) {
      is_kept[static_cast<std::size_t>(variable)] = 1;
    }
    Triplets<S> triplets{.num_rows = pattern.num_rows, .num_cols = pattern.num_cols, .symmetry = pattern.symmetry};
    for (std::size_t j = 0; j < is_kept.size(); ++j) {
      const auto end = static_cast<std::size_t>(pattern.column_offsets[j + 1]);
      for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]); k < end; ++k) {
        const Index i = pattern.row_indices[k];
        if (is_kept[j] == 0 && is_kept[static_cast<std::size_t>(i)] == 0) {
          triplets.add(i, static_cast<Index>(j), whole.values[k]);
        }
      }
      if (is_kept[j] != 0) {
        triplets.add(static_cast<Index>(j), static_cast<Index>(j), S(1));
      }
    }
    matrix_ = compress(std::move(triplets));
  }

  [[nodiscard]] MatrixView<S> view() const { return matrix_.view(); }
  [[nodiscard]] Index structural_rank() const { return frond::structural_rank(matrix_.pattern()).rank; }

  /// Solves with it by `solve`, which is with A11 as far as it has pivots, for zeros in the rows of the Schur variables.
  [[nodiscard]] SolvePart<S> solve_by(SolvePart<S> solve) const {
    return [this, solve = std::move(solve)](SweepPart part, Operation operation, DenseView<S> x) {
      std::vector<S> kept;
      for_each_kept(x, [&](S& value) { kept.push_back(std::exchange(value, S(0))); });
      solve(part, operation, x);
      auto next = kept.begin();
      for_each_kept(x, [&](S& value) { value = *next++; });
    };
  }

  /// What is known of the rank of A11, by what is known of this.
  [[nodiscard]] RankProof of_interior(RankProof proof) const {
    const auto num_kept = static_cast<Index>(schur_variables_.size());
    proof.lowest = std::max(proof.lowest - num_kept, Index{0});
    proof.highest -= num_kept;
    return proof;
  }

 private:
  template <class Visit>
  void for_each_kept(DenseView<S> x, Visit visit) const {
    for (Index j = 0; j < x.cols; ++j) {
      for (const Index variable : schur_variables_) {
        visit(x(variable, j));
      }
    }
  }

  std::vector<Index> schur_variables_;
  SparseMatrix<S> matrix_;
};

}  // namespace frond
