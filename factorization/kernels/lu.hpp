// SPDX-License-Identifier: BSD-3-Clause
// LU of the fully summed block of a front with threshold pivoting along the fully summed rows of A.
#pragma once

#include <utility>
#include <vector>

#include "factorization/kernels/front_kernel.hpp"
#include "factorization/kernels/row_panel.hpp"

namespace frond {

/// Works on B = A^T as FrontFactor describes: column k of B is row k of A. A pivot is taken among the fully summed rows of B, the
/// largest entry there, if it is at least u times the largest of the whole column (Duff, Erisman & Reid, "Direct Methods for Sparse
/// Matrices", section 7.8); otherwise the column is rejected. Recursive inside a panel (Toledo 1997).
template <Scalar S>
class LuKernel final : public FrontKernel<S> {
 public:
  LuKernel(const FrontFactor<S>& front, PivotTolerances<RealOf<S>> tolerances);

  Index eliminate_panel(Index begin, Index end) override;
  void update_columns(Index pivot_begin, Index pivot_end, Index begin, Index end) override;
  void close_panels(Index num_eliminated, Index begin, Index end) override;
  void exchange(Index i, Index j) override;
  void eliminate_rest(Index begin) override;
  [[nodiscard]] const PivotCounts& counts() const override { return counts_; }

  /// Applies the exchanges of the pivots, then N12^T := N12^T M11^-T, and subtracts the eliminated part from the delayed rows of B.
  void finish_upper(Index num_eliminated, Index begin, Index end) const override;
  void update_contribution(const PanelLayout& layout, S* cb, Index begin, Index end) const override;

  /// The panel [begin, end) for the slaves of a row-distributed front (`upper` and the contribution block are theirs).
  [[nodiscard]] LuPanel<S> panel(Index begin, Index end) const;

 private:
  Index eliminate_columns(Index begin, Index end);
  Index eliminate_leaf(Index begin, Index end);
  [[nodiscard]] Index find_pivot(Index k) const;
  void take_row(Index k, Index row);
  void exchange_rows(Index pivot_begin, Index pivot_end, Index begin, Index end) const;
  void step_behind(Index begin, Index middle, Index end);
  [[nodiscard]] std::pair<Index, Index> largest_entry(Index begin) const;
  void mark_null(Index begin);
  void perturb(S& pivot);

  const FrontFactor<S>& front_;
  DenseView<S> b_;  // m x p
  PivotTolerances<RealOf<S>> tolerances_;
  std::vector<Index> exchanged_;          // [k] = row of B exchanged with row k when pivot k was taken
  std::vector<Index> exchanges_applied_;  // [j] = number of pivots whose exchanges column j carries, for eliminated columns
  PivotCounts counts_;
};

}  // namespace frond
