// SPDX-License-Identifier: BSD-3-Clause
// LU of several systems of one pattern at a time.
#pragma once

#include <span>
#include <vector>

#include "factorization/thin/lane_extremes.hpp"
#include "factorization/thin/lane_numbers.hpp"
#include "factorization/thin/sparse_lu.hpp"
#include "frond/types.hpp"

namespace frond {

/// The factors of kLanes matrices of one pattern with the pivots that were found for another one of it, as
/// SparseLu::refactorize() makes them for one.
template <Scalar S>
class LaneLu {
 public:
  /// Uses the patterns of `leader`, which outlives this object.
  explicit LaneLu(const SparseLu<S>& leader);

  /// Takes values[source] of all matrices, and scales of rows that all have, in the order of pivots. Allocates nothing.
  void refactorize(const LaneNumbers<S>* values, std::span<const RealOf<S>> row_scales);
  /// x := B^-1 P^T x, or P B^-T x, in each lane.
  void solve(bool is_transposed, LaneNumbers<S>* x) const;

  [[nodiscard]] const LaneExtremes<S>& extremes() const { return extremes_; }

 private:
  void factorize_columns(const LaneNumbers<S>* values, const RealOf<S>* row_scales);
  void close_column(Index col, LaneExtremes<S>& here);

  const SparseLu<S>& leader_;
  std::vector<LaneNumbers<S>> lower_;
  std::vector<LaneNumbers<S>> upper_;
  std::vector<LaneNumbers<S>> couplings_;
  std::vector<LaneNumbers<S>> inverse_pivots_;
  std::vector<LaneNumbers<S>> column_;  // zeros between columns
  LaneExtremes<S> extremes_;
};

}  // namespace frond
