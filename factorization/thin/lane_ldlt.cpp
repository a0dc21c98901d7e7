// SPDX-License-Identifier: BSD-3-Clause
// Factorizes and solves row by row, with vectors for numbers.
#include "factorization/thin/lane_ldlt.hpp"

#include <algorithm>
#include <limits>

#include "factorization/thin/sweeps.hpp"

namespace frond {

template <Scalar S>
LaneLdlt<S>::LaneLdlt(const LdltStructure& structure, bool is_hermitian)
    : structure_(structure),
      is_hermitian_(is_hermitian),
      values_(structure.rows.size()),
      inverse_pivots_(static_cast<std::size_t>(structure.order())),
      row_(inverse_pivots_.size()),
      ends_(inverse_pivots_.size()) {}

template <Scalar S>
void LaneLdlt<S>::factorize(const SparsePattern& pattern, const LaneNumbers<S>* values, std::span<const RealOf<S>> scales) {
  std::copy_n(structure_.column_offsets.begin(), ends_.size(), ends_.begin());
  with_vectors([&]() __attribute__((always_inline)) { factorize_rows(pattern, values, scales.data()); });
}

template <Scalar S>
[[gnu::always_inline]] inline void LaneLdlt<S>::factorize_rows(const SparsePattern& pattern, const LaneNumbers<S>* values,
                                                               const RealOf<S>* scales) {
  using Reals = LaneReals<RealOf<S>>;
  LaneExtremes<S> extremes;
  Reals least = Reals::all(std::numeric_limits<RealOf<S>>::infinity());
  LaneNumbers<S>* row = row_.data();
  const Index* rows = structure_.rows.data();
  for (Index k = 0; k < structure_.order(); ++k) {
    load(k, pattern, values, scales, extremes);
    LaneNumbers<S> pivot = row[k];
    row[k] = {};
    for (Index entry = structure_.row_offsets[k], end = structure_.row_offsets[k + 1]; entry < end; ++entry) {
      const Index col = structure_.columns[entry];
      const LaneNumbers<S> u = row[col];  // of D L^T, or of D L^H
      row[col] = {};
      Index next = structure_.column_offsets[col];
      for (const Index known = ends_[col]; next < known; ++next) {
        row[rows[next]] -= values_[next] * u;
      }
      const LaneNumbers<S> l = (is_hermitian_ ? conjugate(u) : u) * inverse_pivots_[col];
      pivot -= l * u;
      values_[next] = l;
      ++ends_[col];
      extremes.take_multiplier(l);
      extremes.take_upper(u);
    }
    if (is_hermitian_) {
      pivot = real_part(pivot);
    }
    inverse_pivots_[k] = inverse(pivot);
    extremes.take_pivot(pivot, inverse_pivots_[k]);
    least = smaller(least, real_part(pivot));
  }
  extremes_ = extremes;
  least_pivot_ = least;
}

template <Scalar S>
[[gnu::always_inline]] inline void LaneLdlt<S>::load(Index col, const SparsePattern& pattern, const LaneNumbers<S>* values,
                                                     const RealOf<S>* scales, LaneExtremes<S>& extremes) {
  for (Index entry = pattern.offsets[col], end = pattern.offsets[col + 1]; entry < end; ++entry) {
    const Index source = pattern.sources[entry];
    const Index row = pattern.rows[entry];
    const LaneNumbers<S> stored = source >= 0 ? values[source] : conjugate(values[-1 - source]);
    row_[row] = stored * LaneReals<RealOf<S>>::all(scales[row] * scales[col]);
    extremes.take_entry(row_[row]);
  }
}

template <Scalar S>
void LaneLdlt<S>::solve(LaneNumbers<S>* x) const {
  with_vectors([&]() __attribute__((always_inline)) {
    solve_ldlt(structure_.order(), structure_.with(values_.data()), inverse_pivots_.data(), is_hermitian_, x);
  });
}

FROND_INSTANTIATE_CLASS(LaneLdlt)

}  // namespace frond
