// SPDX-License-Identifier: BSD-3-Clause
// Bounds of the entries that a pivot search does not see: they are below the block that it searches, or slaves hold them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// For a column j that is not eliminated, g_j with |a_ij| <= g_j for all rows i outside; for a pivot k of the present panel, h_k
/// with |l_ik| <= h_k. |x| is magnitude_bound, for which |x + y| <= |x| + |y| and |x y| <= |x| |y| also in complex numbers.
///
/// Proof that the bounds carry over, by induction over the pivots. At the start g_j = max_i |a_ij|. A
/// pivot has (l_ik) D = (a_ik), so with its D^-1 = (e_kk'), h_k' = sum_k g_k |e_kk'| bounds |l_ik'|, k and k' running over its one
/// or two columns. It turns a_ij into a_ij - sum_k l_ik w_kj, W = D op(L)^T being known, so g_j + sum_k h_k |w_kj|
/// bounds the new entry.
///
/// These bounds can grow by 1 + 1/u with every pivot, while entries hardly do. A bound is therefore cut at kTrustedGrowth times the
/// maximum it started from. From then on it holds if no entry of its column grows more inside one panel: what is computed from it
/// is verified. The first pivot is always tested against the maxima themselves.
template <class R>
class OutsideBounds {
 public:
  explicit OutsideBounds(Index num_columns)
      : bounds_(static_cast<std::size_t>(num_columns)), limits_(static_cast<std::size_t>(num_columns)) {}

  /// Column j has no larger entry outside than `maximum`.
  void start(Index j, R maximum) {
    bounds_[j] = maximum;
    limits_[j] = kTrustedGrowth * maximum;
  }

  /// g_j, or h_k of a pivot.
  [[nodiscard]] R operator[](Index j) const { return bounds_[j]; }

  /// Column k has become a pivot.
  void note_pivot(Index k, R multiplier) { bounds_[k] = multiplier; }

  /// Pivot k is applied to column j.
  void grow(Index j, Index k, R w) {
    const auto column = static_cast<std::size_t>(j);
    bounds_[column] = std::min(limits_[column], bounds_[column] + bounds_[k] * w);  // not a number: limit
  }

  void exchange(Index i, Index j) {
    std::swap(bounds_[i], bounds_[j]);
    std::swap(limits_[i], limits_[j]);
  }

 private:
  static constexpr R kTrustedGrowth = 2;  // measured against others in docs/performance.md

  std::vector<R> bounds_;
  std::vector<R> limits_;
};

}  // namespace frond
