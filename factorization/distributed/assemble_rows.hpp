// SPDX-License-Identifier: BSD-3-Clause
// Assembly out of streams of rows.
#pragma once

#include <span>

#include "factorization/fronts/front_target.hpp"

namespace frond {

/// Rows of a child that have come in a stream.
template <Scalar S>
struct ChildRows {
  bool has_delayed_rows = false;
  Index row_begin = 0;
  Index row_end = 0;
  Index num_delayed = 0;
  Index delayed_begin = 0;                  ///< position of its first delayed pivot in the parent's front
  std::span<const Index> relative_indices;  ///< of all its contribution rows
  const S* entries = nullptr;               ///< as RowImage tells
};

/// Extend-add of what a stream brought, into the positions [begin, end) as extend_add() takes them: for the symmetric methods into
/// these columns; for LU into these rows of A, and, for a fully summed position, into that column of the contribution rows.
/// Disjoint ranges may run at the same time.
template <Scalar S>
void add_child_rows(Method method, const ChildRows<S>& child, Index begin, Index end, const FrontTarget<S>& parent);

/// The entries [begin, end) of a stream, wherever it was cut, added to a slave's part: all rows are contribution rows of the
/// parent. `child.entries` is not looked at; `piece` has the entry `begin` first.
template <Scalar S>
void add_piece_of_rows(Method method, const ChildRows<S>& child, Count begin, Count end, const S* piece,
                       const FrontTarget<S>& parent);

}  // namespace frond
