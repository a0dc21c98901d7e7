// SPDX-License-Identifier: BSD-3-Clause
// Assembly of the root on a grid: the entries of A and the rows that children leave, each rank of the grid its own.
#pragma once

#include <span>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/assemble.hpp"
#include "factorization/root_layout.hpp"

namespace frond {

/// Adds the entries of A at the root that belong to this rank. `matrix` and `symbolic` are those of all ranks, `num_delayed_in` the
/// number of pivots that were delayed to the root; the layout is of the order that includes them.
///
/// The grid holds the lower triangle of the root (Cholesky; what lies above the diagonal is read by nobody) or B = A^T (LU).
template <Scalar S>
void add_root_entries(const Symbolic& symbolic, Method method, const ScaledValues<S>& matrix, NodeId root, Index num_delayed_in,
                      const RootPart<S>& part);

/// Rows [row_begin, row_end) of the square matrix that a child leaves: of its delayed pivots, then of its contribution block.
///
/// They travel as one sequence of entries. LU: row by row of A, each with all its columns. Symmetric methods: the lower triangle,
/// column by column, in each of them the rows from the diagonal or from row_begin on. Rows [1, 3) of a child with three positions:
///
///   LU                 symmetric
///   .  .  .            .
///   0  1  2            0  2
///   3  4  5            1  3  4
struct ChildRows {
  std::span<const Index> positions;  ///< positions[k] = position in the root of row and column k of the child; increasing
  Index row_begin = 0;
  Index row_end = 0;
};

/// The entries among them that belong to one rank of the grid, in their order in the sequence. Sender and receiver make it from the
/// same arguments; only the entries travel.
class RootPiece {
 public:
  RootPiece(const RootLayout& layout, Method method, const ChildRows& child, GridPosition to);

  [[nodiscard]] Count num_entries() const;

  /// Takes the piece, num_entries() of them, out of the sequence.
  template <Scalar S>
  void pack(const S* sequence, S* piece) const;

  /// Adds the piece to the part of the rank it was made for.
  template <Scalar S>
  void add(const S* piece, S* part) const;

 private:
  // Part of a column of the matrix on the grid; for LU that is part of a row of A.
  struct Column {
    Count source;         // place in the sequence that row 0 of the child has or would have
    Count target;         // place in the part of the rank
    std::size_t row = 0;  // its first row, in rows_
  };

  std::vector<Index> rows_;        // rows of the child that lie in rows of this rank, increasing; for LU columns of A
  std::vector<Index> local_rows_;  // where this rank holds them
  std::vector<Column> columns_;
};

}  // namespace frond
