// SPDX-License-Identifier: BSD-3-Clause
// L D L^T and L D L^H of the fully summed block of a front with 1x1 and 2x2 threshold pivots.
#pragma once

#include <vector>

#include "factorization/kernels/block_diagonal.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "factorization/kernels/outside_bounds.hpp"
#include "factorization/kernels/row_panel.hpp"

namespace frond {

/// Pivots are looked for among the columns of one panel:
///   1x1: |a_kk| >= u max_i |a_ik|;   2x2: the rows of |D^-1| times the two columns' maxima outside the pivot stay <= 1/u
/// (Duff & Reid 1983; Duff, Gould, Reid, Scott & Turner 1991), so that every |l_ij| <= 1/u. The search keeps to the square block of
/// the panel's columns and to bounds of what is below (OutsideBounds); then the rows of L below are computed at once, and pivots
/// stay if they are small enough there, too (a posteriori pivoting: Duff, Hogg & Lopez 2020, "A new sparse LDL^T solver using a
/// posteriori threshold pivoting", SIAM J. Sci. Comput. 42). Columns without a pivot move behind the panel.
///
/// The strict upper triangle of the block, otherwise unused, holds D op(L)^T of a panel while its updates run.
///
/// Master of a row-distributed front: the front has no contribution rows, slaves hold them. Before every panel start_panel() passes
/// what the slaves see; the slaves verify panel(); keep_verified() takes back what they refuse.
///
/// The choice of a pivot is in ldlt_choice.hpp.
template <Scalar S>
class LdltKernel final : public FrontKernel<S> {
 public:
  /// `hermitian`: L D L^H; it makes no difference for real scalars.
  LdltKernel(const FrontFactor<S>& front, bool hermitian, PivotTolerances<RealOf<S>> tolerances);

  Index eliminate_panel(Index begin, Index end) override;
  void update_columns(Index pivot_begin, Index pivot_end, Index begin, Index end) override {
    update_rows(pivot_begin, pivot_end, begin, end, a_.rows);
  }
  void close_panels(Index num_eliminated, Index begin, Index end) override;
  void exchange(Index i, Index j) override { exchange_symmetrically(i, j, 0); }
  void eliminate_rest(Index begin) override;
  void finish_upper(Index, Index, Index) const override {}
  void update_contribution(const PanelLayout& layout, S* cb, Index begin, Index end) const override;
  [[nodiscard]] const PivotCounts& counts() const override { return counts_; }

  /// maxima[j - begin] = largest magnitude_bound in column j of all slaves, for all columns [begin, p) that are left, in the order
  /// that the slaves know: that of the last panel().
  void start_panel(Index begin, std::span<const RealOf<S>> maxima);

  /// Returns the pivots [begin, end) of the last panel. Each exchange is reported once.
  [[nodiscard]] LdltPanel<S> panel(Index begin, Index end);

  /// Returns the exchanges that the slaves do not know yet; they need these in the end.
  [[nodiscard]] std::span<const Exchange> take_exchanges();

  /// The first `num_verified` pivots of the last panel stay, one less if that would split a 2x2 pivot. The other columns, in the
  /// order that they have now, become what they were when the panel began, updated by the pivots that stay. Returns their number.
  Index keep_verified(Index num_verified);

 private:
  using R = RealOf<S>;
  enum class Choice { rejected, null, one, two };

  Index attempt(Index begin);
  Index eliminate_block(Index begin);
  Index verify_below(Index begin);
  void divide_below(Index begin, Index end, Index row_begin);
  Index eliminate_strip(Index begin, Index end);
  [[nodiscard]] Choice choose_pivot(Index k, Index end);
  [[nodiscard]] Choice choose_complete_pivot(Index k);
  [[nodiscard]] bool accepts_one(Index k, R largest) const;
  [[nodiscard]] bool accepts_two(Index k, Index partner, R largest_k, R largest_partner) const;
  [[nodiscard]] R largest_below(Index col, Index skip) const;
  [[nodiscard]] R largest_left(Index row, Index col_begin) const;
  void eliminate_pivot(Choice choice, Index k, Index end);
  void eliminate_one(Index k, Index end);
  void eliminate_two(Index k, Index end);
  void make_null(Index k);
  void perturb(Index k);
  void count_pivot(Index k, Count sign);
  void update_rows(Index pivot_begin, Index pivot_end, Index begin, Index end, Index row_end);
  void keep_columns(Index begin);
  void restore_behind(Index end);
  void start_bounds(Index begin);
  void exchange_in_panel(Index i, Index j);
  void exchange_symmetrically(Index i, Index j, Index col_begin);
  void note_outside(Index k, Index num_columns);
  void grow_outside(Index pivot_begin, Index pivot_end, Index begin, Index end);
  [[nodiscard]] S adjoint(S value) const { return hermitian_ ? conjugate(value) : value; }
  [[nodiscard]] BlockDiagonal<S> diagonal() const { return {front_.d, front_.pivots, hermitian_}; }

  const FrontFactor<S>& front_;
  DenseView<S> a_;  // m x p, lower triangle
  bool hermitian_;
  PivotTolerances<R> tolerances_;
  std::vector<Exchange> exchanges_;             // of rows, in the order they were made inside panels
  std::vector<std::size_t> exchanges_applied_;  // [j] = how many of exchanges_ the eliminated column j carries
  std::vector<S> unscaled_;                     // the one or two columns of a pivot, as they were before their division by it
  PivotCounts counts_;

  // The panel being eliminated.
  Index panel_begin_ = 0;
  Index panel_end_ = 0;       // of its columns, and of the rows that the search sees
  Index pivots_end_ = 0;      // of its pivots
  OutsideBounds<R> outside_;  // of the rows that it does not see
  Index kept_begin_ = 0;
  std::vector<S> kept_;  // rows [kept_begin_, m) of the lower triangle of the columns [kept_begin_, panel_end_), as they were
  std::vector<Index> kept_index_;  // [t] = column among the kept ones of the variable that is now at position kept_begin_ + t

  // Row-distributed fronts only.
  std::vector<R> slave_maxima_;             // [j] = largest magnitude_bound in column j of all slaves when the panel began
  std::vector<Exchange> untold_exchanges_;  // since the last panel()
  std::vector<Exchange> told_exchanges_;    // by the last panel()
};

}  // namespace frond
