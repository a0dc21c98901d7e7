// SPDX-License-Identifier: BSD-3-Clause
// Assembles the root on a grid, each rank its own part: the entries of A and the rows that children leave.
#pragma once

#include <functional>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/distributed/assemble_rows.hpp"
#include "factorization/distributed/root_layout.hpp"

namespace frond {

/// Adds the entries of A at the root that belong to this rank. `matrix` and `symbolic` are those of all ranks, `num_delayed_in` the
/// number of pivots that were delayed to the root; the layout is of the order that includes them.
///
/// The grid holds the lower triangle of the root (symmetric methods; entries above the diagonal are never read) or B = A^T (LU).
template <Scalar S>
void add_root_entries(const Symbolic& symbolic, Method method, const ScaledValues<S>& matrix, NodeId root, Index num_delayed_in,
                      const RootPart<S>& part);

/// The entries of a stream of a child's rows that belong to one rank of the grid, in their order in the stream. Sender and receiver
/// make it from the same arguments; only the entries travel.
template <Scalar S>
class RootPiece {
 public:
  /// `child` says which rows are in the stream (RowImage says how they lie there); its entries are not used. `num_delayed_in` as
  /// for add_root_entries().
  RootPiece(const RootLayout& layout, Method method, const ChildRows<S>& child, Index num_delayed_in, GridPosition to);

  [[nodiscard]] Count num_entries() const;

  /// Copies the entries [begin, end) of the piece out of the stream, whose entry k is at address_of(k); entries of one row or
  /// column of the child are contiguous.
  void pack(const std::function<const S*(Count)>& address_of, Count begin, Count end, S* piece) const;

  /// Adds the entries [begin, end) of the piece, given in `entries`, to the part of the rank that the piece was made for.
  void add(Count begin, Count end, const S* entries, S* part) const;

 private:
  // Rows or columns of the matrix on the grid that this rank holds and the child has; they are numbered as in the child, from its
  // first delayed one on.
  struct Selection {
    std::vector<Index> numbers;  // increasing
    std::vector<Count> offsets;  // in the part
  };
  // Entries of a row or a column of the matrix on the grid that are contiguous in the stream.
  struct Line {
    Count source;  // place in the stream of its entry number 0, if that were there
    Count target;  // offset in the part
    bool is_row;
    std::size_t begin;  // the range of the other selection that crosses it
    std::size_t end;
  };

  [[nodiscard]] const Selection& crossing(bool is_row) const { return is_row ? cols_ : rows_; }
  // Calls take(line, first, last) for the entries [first, last) of each line that overlaps the entries [begin, end) of the piece.
  template <class Take>
  void for_lines(Count begin, Count end, Take take) const;
  void add_line(bool is_row, Index number, Index begin, Index end);

  Selection rows_;
  Selection cols_;
  Count stream_end_ = 0;  // end of the lines so far
  std::vector<Line> lines_;
};

}  // namespace frond
