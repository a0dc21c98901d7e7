// SPDX-License-Identifier: BSD-3-Clause
// L D L^T of several systems of one pattern at a time.
#pragma once

#include <span>
#include <vector>

#include "factorization/thin/lane_extremes.hpp"
#include "factorization/thin/lane_numbers.hpp"
#include "factorization/thin/sparse_ldlt.hpp"
#include "frond/types.hpp"

namespace frond {

/// The factors of kLanes symmetric or Hermitian matrices, as SparseLdlt::factorize() makes them for one; no pivot is refused.
template <Scalar S>
class LaneLdlt {
 public:
  /// `structure` must outlive this object, and be that of all patterns that follow.
  LaneLdlt(const LdltStructure& structure, bool is_hermitian);

  /// Takes values[source] of all matrices, and scales that all have. Allocates nothing.
  void factorize(const SparsePattern& pattern, const LaneNumbers<S>* values, std::span<const RealOf<S>> scales);
  /// x := B^-1 x in each lane.
  void solve(LaneNumbers<S>* x) const;

  [[nodiscard]] const LaneExtremes<S>& extremes() const { return extremes_; }
  /// Whether the real parts of all pivots are positive.
  [[nodiscard]] bool is_positive(int lane) const { return lane_of(least_pivot_, lane) > 0; }

 private:
  void factorize_rows(const SparsePattern& pattern, const LaneNumbers<S>* values, const RealOf<S>* scales);
  void load(Index col, const SparsePattern& pattern, const LaneNumbers<S>* values, const RealOf<S>* scales,
            LaneExtremes<S>& extremes);

  const LdltStructure& structure_;
  bool is_hermitian_;
  std::vector<LaneNumbers<S>> values_;  // of L by columns
  std::vector<LaneNumbers<S>> inverse_pivots_;
  std::vector<LaneNumbers<S>> row_;  // zeros between rows
  std::vector<Index> ends_;          // [column] = end of the entries that are known
  LaneExtremes<S> extremes_;
  LaneReals<RealOf<S>> least_pivot_;
};

}  // namespace frond
