// SPDX-License-Identifier: BSD-3-Clause
// Assembly of a front: entries of A, and the contribution blocks and delayed pivots of its children.
#pragma once

#include <span>

#include "analysis/symbolic.hpp"
#include "factorization/kernels/front_factor.hpp"

namespace frond {

/// The numerical matrix: values in the order of the analysed pattern, and the scalings by new variable numbers (empty: none).
template <Scalar S>
struct ScaledValues {
  std::span<const S> values;
  std::span<const RealOf<S>> row_scaling;
  std::span<const RealOf<S>> col_scaling;
};

/// A front under construction: its factor part, and its contribution block. The delayed pivots of the children come first among the
/// fully summed positions, so that a position of the tree's front grows by num_delayed_in and the order of positions is kept.
///
/// The contribution block has the front's positions p .. m-1; `cb_layout` is a trapezoid of block columns for the symmetric
/// methods, a square for LU (the part of B = A^T that is left).
template <Scalar S>
struct NumericFront {
  FrontFactor<S> factor;
  Index num_delayed_in = 0;
  PanelLayout cb_layout;
  S* cb = nullptr;
};

/// A finished child as its parent sees it. relative_indices[j] = position, in the tree's front of the parent, of row j of the
/// contribution block.
template <Scalar S>
struct ChildFront {
  const NumericFront<S>* front = nullptr;
  std::span<const Index> relative_indices;
  Index delayed_begin = 0;  ///< position of its first delayed pivot in the parent's front
};

[[nodiscard]] PanelLayout contribution_layout(Index order, Method method);

/// Extend-add: adds a child's contribution to the positions [begin, end) of its parent's front: for the symmetric methods into
/// these columns; for LU into these columns of B, and, for a fully summed position, into that row of B as far as it lies in
/// `upper`. Disjoint ranges may run at the same time.
template <Scalar S>
void extend_add(Method method, const ChildFront<S>& child, Index begin, Index end, NumericFront<S>& parent);

/// Sets the columns of the contribution block at the positions [begin, end) of the front to zero.
template <Scalar S>
void clear_contribution(Index begin, Index end, NumericFront<S>& front);

}  // namespace frond
