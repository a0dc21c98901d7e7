// SPDX-License-Identifier: BSD-3-Clause
// Assembles fronts from streams of rows.
#pragma once

#include <span>

#include "factorization/fronts/front_target.hpp"

namespace frond {

/// Rows of a child that have arrived in a stream.
template <Scalar S>
struct ChildRows {
  bool has_delayed_rows = false;
  Index row_begin = 0;
  Index row_end = 0;
  Index num_delayed = 0;
  Index delayed_begin = 0;                  ///< position of its first delayed pivot in the parent's front
  std::span<const Index> relative_indices;  ///< of all its contribution rows
  const S* entries = nullptr;               ///< in the order of RowImage
};

/// Extend-add of the rows of a stream into the positions [begin, end), which are those of extend_add(): for the symmetric methods
/// into these columns; for LU into these rows of A, and, for a fully summed position, into that column of the contribution rows.
/// Disjoint ranges may run at the same time.
template <Scalar S>
void add_child_rows(Method method, const ChildRows<S>& child, Index begin, Index end, const FrontTarget<S>& parent);

/// Adds the entries [begin, end) of a stream, wherever it was cut, to a slave's part: all rows are contribution rows of the parent.
/// `child.entries` is not used; `piece` starts with the entry `begin`.
template <Scalar S>
void add_piece_of_rows(Method method, const ChildRows<S>& child, Count begin, Count end, const S* piece,
                       const FrontTarget<S>& parent);

}  // namespace frond
