// SPDX-License-Identifier: BSD-3-Clause
// Factorizes and solves along the columns of other factors, with vectors for numbers.
#include "factorization/thin/lane_lu.hpp"

#include <utility>

#include "factorization/thin/sweeps.hpp"

namespace frond {

template <Scalar S>
LaneLu<S>::LaneLu(const SparseLu<S>& leader)
    : leader_(leader),
      lower_(leader.lower_.rows.size()),
      upper_(leader.upper_.rows.size()),
      couplings_(leader.couplings_.rows.size()),
      inverse_pivots_(leader.pivots_.size()),
      column_(leader.pivots_.size()) {}

template <Scalar S>
void LaneLu<S>::refactorize(const LaneNumbers<S>* values, std::span<const RealOf<S>> row_scales) {
  with_vectors([&]() __attribute__((always_inline)) { factorize_columns(values, row_scales.data()); });
}

template <Scalar S>
[[gnu::always_inline]] inline void LaneLu<S>::factorize_columns(const LaneNumbers<S>* values, const RealOf<S>* row_scales) {
  using Reals = LaneReals<RealOf<S>>;
  const typename SparseLu<S>::Entries& entries = leader_.entries_;
  const ColumnsView<LaneNumbers<S>> lower{leader_.lower_.offsets.data(), leader_.lower_.rows.data(), lower_.data()};
  const SparseColumns<S>& upper = leader_.upper_;
  LaneNumbers<S>* column = column_.data();
  LaneExtremes<S> all;
  for (Index col = 0; col < leader_.order(); ++col) {
    LaneExtremes<S> here;
    for (Index entry = entries.offsets[col], end = entries.offsets[col + 1]; entry < end; ++entry) {
      const Index row = entries.rows[entry];
      here.take_entry(column[row] = values[entries.sources[entry]] * Reals::all(row_scales[row]));
    }
    for (Index k = upper.offsets[col], end = upper.offsets[col + 1]; k < end; ++k) {
      const Index pivot = upper.rows[k];
      here.take_upper(upper_[k] = column[pivot]);
      lower.subtract_column(pivot, column);
      column[pivot] = {};
    }
    close_column(col, here);
    all.take_column(here);
  }
  extremes_ = all;
  for (std::size_t k = 0; k < couplings_.size(); ++k) {
    couplings_[k] = values[leader_.coupling_sources_[k]] * Reals::all(row_scales[leader_.couplings_.rows[k]]);
  }
}

template <Scalar S>
[[gnu::always_inline]] inline void LaneLu<S>::close_column(Index col, LaneExtremes<S>& here) {
  const SparseColumns<S>& lower = leader_.lower_;
  const LaneNumbers<S> pivot = std::exchange(column_[col], LaneNumbers<S>{});
  const LaneNumbers<S> reciprocal = inverse(pivot);
  inverse_pivots_[col] = reciprocal;
  here.take_pivot(pivot, reciprocal);
  for (Index entry = lower.offsets[col], end = lower.offsets[col + 1]; entry < end; ++entry) {
    here.take_multiplier(lower_[entry] = std::exchange(column_[lower.rows[entry]], LaneNumbers<S>{}) * reciprocal);
  }
}

template <Scalar S>
void LaneLu<S>::solve(bool is_transposed, LaneNumbers<S>* x) const {
  const LuView<S> leader = leader_.view();
  const auto with = [](const ColumnsView<S>& pattern, const std::vector<LaneNumbers<S>>& values) {
    return ColumnsView<LaneNumbers<S>>{pattern.offsets, pattern.rows, values.data()};
  };
  const LuView<LaneNumbers<S>> own{leader.blocks, with(leader.lower, lower_), with(leader.upper, upper_),
                                   with(leader.couplings, couplings_), inverse_pivots_.data()};
  with_vectors([&]() __attribute__((always_inline)) {
    if (is_transposed) {
      solve_lu_transposed(own, x);
    } else {
      solve_lu(own, x);
    }
  });
}

FROND_INSTANTIATE_CLASS(LaneLu)

}  // namespace frond
