// SPDX-License-Identifier: BSD-3-Clause
// The rows of a stream as a sequence of scalars, in place in the child.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "factorization/distributed/row_stream.hpp"
#include "factorization/fronts/assemble.hpp"
#include "factorization/fronts/slave_rows.hpp"

namespace frond {

/// The scalars of a stream, in the order that add_child_rows() expects. With d delayed variables and the contribution rows [b, e):
///   symmetric methods   if the stream has delayed rows: their lower triangle, column by column;
///                       the delayed columns of the rows [b, e); of each contribution column j < e the rows max(b, j) .. e - 1;
///   LU                  if the stream has delayed rows (of A): each with its delayed columns and its contribution columns;
///                       the delayed columns of the rows [b, e); each of these rows with its contribution columns.
template <Scalar S>
class RowImage {
 public:
  RowImage(Method method, const NumericFront<S>& child, const RowStream& stream);  ///< out of the child's master
  RowImage(Method method, const SlaveRows<S>& child, const RowStream& stream);     ///< out of one of its slaves

  [[nodiscard]] Count num_bytes() const { return offsets_.back(); }

  /// Returns the address of scalar k of the sequence; the rest of the same line of the list above follows it.
  [[nodiscard]] const S* entry(Count k) const;

  /// Copies the bytes [offset, offset + bytes.size()) of the sequence.
  void read(Count offset, std::span<std::byte> bytes) const;

 private:
  void add(const S* data, Count length);
  [[nodiscard]] std::size_t piece_at(Count offset) const;

  std::vector<const S*> pieces_;
  std::vector<Count> offsets_ = {0};  // of pieces, in bytes; the total at the end
};

}  // namespace frond
