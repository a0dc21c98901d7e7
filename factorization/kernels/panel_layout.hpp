// SPDX-License-Identifier: BSD-3-Clause
// Lays out the columns of a lower trapezoid in memory: block columns, each a rectangle without the rows above its diagonal block.
#pragma once

#include <algorithm>

#include "frond/types.hpp"

namespace frond {

/// Layout of a trapezoid of `order` rows and `cols` <= order columns. Block column b holds the columns [b w, min((b+1) w, cols))
/// and the rows [b w, order), column-major, without gaps; w = `width`. With width >= cols it is an ordinary column-major matrix.
///
///   order 5, cols 4, width 2        0  5  .  .
///   (numbers are positions          1  6  .  .
///   in memory)                      2  7 10 13
///                                   3  8 11 14
///                                   4  9 12 15
///
/// Positions 5 and 13 lie above the diagonal: this memory is never read.
struct PanelLayout {
  Index order = 0;
  Index cols = 0;
  Index width = 1;  ///< >= 1

  [[nodiscard]] Index num_blocks() const { return (cols + width - 1) / width; }
  /// Returns the block column of `col`. Most fronts have only one, and a division takes as long as much of the work on them.
  [[nodiscard]] Index block_of(Index col) const { return col < width ? 0 : col / width; }
  [[nodiscard]] Index block_begin(Index block) const { return block * width; }
  [[nodiscard]] Index block_end(Index block) const { return std::min(cols, (block + 1) * width); }
  [[nodiscard]] Index leading_dimension(Index block) const { return order - block * width; }

  /// Position of the first entry of block column `block`.
  [[nodiscard]] Count block_offset(Index block) const {
    const Count b = block;
    return static_cast<Count>(width) * (b * order - static_cast<Count>(width) * (b * (b - 1) / 2));
  }

  /// Position of entry (0, col) if it were held: column_offset(col) + row is that of entry (row, col).
  [[nodiscard]] Count column_offset(Index col) const {
    const Index block = block_of(col);
    const Index begin = block_begin(block);
    return block_offset(block) + static_cast<Count>(col - begin) * leading_dimension(block) - begin;
  }

  /// Number of entries, those above the diagonal of diagonal blocks included.
  [[nodiscard]] Count size() const {
    const Index last = num_blocks() - 1;
    return cols == 0 ? 0 : block_offset(last) + static_cast<Count>(cols - block_begin(last)) * leading_dimension(last);
  }
};

}  // namespace frond
