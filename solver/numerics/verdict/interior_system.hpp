// SPDX-License-Identifier: BSD-3-Clause
// Presents the eliminated part as a system of its own when a Schur complement is left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "analysis/pivots/structural_rank.hpp"
#include "analysis/symbolic.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "solver/numerics/sweeps/sweep.hpp"

namespace frond {

/// A11 (+) E: A with a diagonal E, ones in units of the scales, in the rows and columns of the Schur variables, so that unknowns
/// keep their numbers. Its rank is that of A11 and the number of these variables.
template <Scalar S>
class InteriorSystem {
 public:
  using R = RealOf<S>;

  /// Copies what it needs of `whole`; empty scales are ones. O(entries).
  InteriorSystem(const MatrixView<S>& whole, std::span<const Index> schur_variables, std::span<const R> row_scaling = {},
                 std::span<const R> col_scaling = {})
      : schur_variables_(schur_variables.begin(), schur_variables.end()) {
    const PatternView& pattern = whole.pattern;
    std::vector<char> is_kept(static_cast<std::size_t>(pattern.num_cols), 0);
    const auto scale_of = [](std::span<const R> scaling, std::size_t k) { return scaling.empty() ? R(1) : scaling[k]; };
    for (const Index variable : schur_variables_) {
      const auto k = static_cast<std::size_t>(variable);
      is_kept[k] = 1;
      scales_.push_back(scale_of(row_scaling, k) * scale_of(col_scaling, k));
    }
    Triplets<S> triplets{.num_rows = pattern.num_rows, .num_cols = pattern.num_cols, .symmetry = pattern.symmetry};
    for (std::size_t j = 0; j < is_kept.size(); ++j) {
      const auto end = static_cast<std::size_t>(pattern.column_offsets[j + 1]);
      for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]); k < end; ++k) {
        const Index i = pattern.row_indices[k];
        if (is_kept[j] == 0 && is_kept[i] == 0) {
          triplets.add(i, static_cast<Index>(j), whole.values[k]);
        }
      }
    }
    for (std::size_t k = 0; k < scales_.size(); ++k) {
      triplets.add(schur_variables_[k], schur_variables_[k], S(1 / scales_[k]));
    }
    matrix_ = compress(std::move(triplets));
  }

  [[nodiscard]] MatrixView<S> view() const { return matrix_.view(); }
  [[nodiscard]] Index structural_rank() const { return frond::structural_rank(matrix_.pattern()).rank; }

  /// Returns solves with it by `solve`, which solves with A11 as far as it has pivots, for zeros in the rows of the Schur
  /// variables. Both must outlive them.
  [[nodiscard]] SolveInPlace<S> solve_by(const SolveInPlace<S>& solve) const {
    return [this, &solve](const Sweep<S>& sweep) {
      std::vector<S> kept;
      for_each_kept(sweep.x, [&](S& value, R scale) {
        kept.push_back(sweep.part == SweepPart::whole ? value * scale : value);
        value = S(0);
      });
      solve(sweep);
      auto next = kept.begin();
      for_each_kept(sweep.x, [&](S& value, R /*scale*/) { value = *next++; });
    };
  }

 private:
  template <class Visit>
  void for_each_kept(DenseView<S> x, Visit visit) const {
    for (Index j = 0; j < x.cols; ++j) {
      for (std::size_t k = 0; k < scales_.size(); ++k) {
        visit(x(schur_variables_[k], j), scales_[k]);
      }
    }
  }

  std::vector<Index> schur_variables_;
  std::vector<R> scales_;  // [Schur variable] = of its row times that of its column
  SparseMatrix<S> matrix_;
};

/// Copies the part eliminated before the Schur complement that `symbolic` leaves. Throws MemoryError.
template <Scalar S>
[[nodiscard]] InteriorSystem<S> interior_system(const MatrixView<S>& whole, const Symbolic& symbolic,
                                                std::span<const RealOf<S>> row_scaling = {},
                                                std::span<const RealOf<S>> col_scaling = {}) {
  try {
    return {whole, symbolic.schur_variables(), row_scaling, col_scaling};
  } catch (const std::bad_alloc&) {
    throw MemoryError("no memory for a copy of the matrix without the variables of the Schur complement", 0, 0);
  }
}

/// The structural rank of the eliminated part, in the form of A11 (+) E.
template <Scalar S>
[[nodiscard]] Index interior_structural_rank(const MatrixView<S>& whole, const Symbolic& symbolic) {
  return symbolic.schur_order() > 0 ? interior_system(whole, symbolic).structural_rank() : symbolic.structural_rank();
}

template <Scalar S>
void set_rows_to_zero(std::span<const Index> rows, DenseView<S> x) {
  for (Index j = 0; j < x.cols; ++j) {
    for (const Index row : rows) {
      x(row, j) = S(0);
    }
  }
}

/// The known rank of A11, from that of A11 (+) E.
[[nodiscard]] inline RankProof rank_of_interior(RankProof proof, Index schur_order) {
  proof.lowest = std::max(proof.lowest - schur_order, Index{0});
  proof.highest -= schur_order;
  return proof;
}

}  // namespace frond
