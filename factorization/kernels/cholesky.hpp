// SPDX-License-Identifier: BSD-3-Clause
// Cholesky factorization of the fully summed block of a front, and its update of the contribution block.
#pragma once

#include "factorization/kernels/front_kernel.hpp"
#include "factorization/kernels/panel_layout.hpp"
#include "factorization/kernels/row_panel.hpp"
#include "frond/error.hpp"

namespace frond {

/// Thrown inside a factorization when a Cholesky pivot is not positive; becomes FactorizationStatus::not_positive_definite.
struct NotPositiveDefinite {
  Index variable;  ///< new number
};

/// A = L L^H on block columns of kPanelWidth.
template <Scalar S>
class CholeskyKernel final : public FrontKernel<S> {
 public:
  explicit CholeskyKernel(const FrontFactor<S>& front, PivotTolerances<RealOf<S>> tolerances = {})
      : front_(front), tolerances_(tolerances) {}

  Index eliminate_panel(Index begin, Index end) override;  ///< throws NotPositiveDefinite, also for pivots that are null
  void update_columns(Index pivot_begin, Index pivot_end, Index begin, Index end) override;
  void close_panels(Index, Index, Index) override {}
  void exchange(Index, Index) override { throw InternalError("Cholesky never rejects a pivot"); }
  void eliminate_rest(Index) override { throw InternalError("Cholesky never leaves a pivot to the end"); }
  void finish_upper(Index, Index, Index) const override {}
  void update_contribution(const PanelLayout& layout, S* cb, Index begin, Index end) const override;
  [[nodiscard]] const PivotCounts& counts() const override { return counts_; }

  /// The panel [begin, end) for the slaves of a row-distributed front, whose master's part has no contribution rows.
  [[nodiscard]] CholeskyPanel<S> panel(Index begin, Index end) const { return {begin, panel_rows(begin, end, begin)}; }

 private:
  [[nodiscard]] DenseView<S> panel_rows(Index begin, Index end, Index row) const;

  const FrontFactor<S>& front_;
  PivotTolerances<RealOf<S>> tolerances_;
  PivotCounts counts_;
};

}  // namespace frond
