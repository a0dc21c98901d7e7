// SPDX-License-Identifier: BSD-3-Clause
// The slave's part of LDLT and LDLH of a row-distributed front.
#pragma once

#include <span>
#include <vector>

#include "factorization/kernels/block_diagonal.hpp"
#include "factorization/kernels/chunks.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "factorization/kernels/row_panel.hpp"

namespace frond {

/// The master chooses pivots without seeing the slave's rows (OutsideBounds); no |l_ij| > 1/u gets past verify(). Order of calls:
/// column_maxima(); for every panel verify() and, when the master has heard from all slaves, commit(), then column_maxima() of the
/// columns that are left; exchange() in the end. apply_rows() for committed columns at any time.
template <Scalar S>
class LdltRows {
 public:
  /// Pivots are not tested against the last `num_untested` rows, those of a Schur complement.
  LdltRows(const SymmetricRowBlock<S>& rows, bool hermitian, PivotTolerances<RealOf<S>> tolerances, RunChunks run_chunks,
           Index num_untested = 0);

  /// Largest magnitude_bound in the tested rows of each fully summed column that is not eliminated.
  [[nodiscard]] std::vector<RealOf<S>> column_maxima() const;

  /// Computes the slave's rows of L in the columns of the panel and returns how many leading pivots pass, |l_ij| <= 1/u (a
  /// null pivot: |a_ij| <= null); a 2x2 pivot counts wholly or not at all. The columns are kept as they were.
  [[nodiscard]] Index verify(const LdltPanel<S>& panel);

  /// The first `num_pivots` pivots of the verified panel stay; the columns of the others get their kept entries back. Updates the
  /// fully summed columns that are left. Returns the slave's rows of L: for its own contribution rows, and for the slaves below.
  [[nodiscard]] RowsOfL<S> commit(const LdltPanel<S>& panel, Index num_pivots);

  /// Updates the columns of the slave's contribution rows [begin, end) that belong to the rows in `above`, which are wholly above
  /// them, or these very rows. Disjoint ranges may run at the same time.
  void apply_rows(const RowsOfL<S>& above, Index begin, Index end) const;

  /// Exchanges fully summed variables as the master has done for those behind the last panel.
  void exchange(std::span<const Exchange> exchanges);

  /// Returns the largest entry of D op(L)^T for the slave's rows, at the end.
  [[nodiscard]] RealOf<S> largest_entry() const;

 private:
  SymmetricRowBlock<S> rows_;
  Index num_tested_;
  bool hermitian_;
  PivotTolerances<RealOf<S>> tolerances_;
  RunChunks run_chunks_;
  Index num_eliminated_ = 0;
  std::vector<S> d_;               // as FrontFactor::d
  std::vector<PivotKind> pivots_;  // as FrontFactor::pivots
  std::vector<S> kept_;            // columns of the panel being verified, as they were
};

}  // namespace frond
