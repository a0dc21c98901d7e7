// SPDX-License-Identifier: BSD-3-Clause
// Reports entries outside the stored triangle.
#include "matrices/files/triangle_check.hpp"

#include <fmt/core.h>

namespace frond {

void TriangleCheck::note_upper_or_diagonal(const Scanner& scanner, Count line, Index row, Index col) {
  if (row == col) {
    if (symmetry_ == Symmetry::skew_symmetric) {
      scanner.fail_at(line,
                      fmt::format("entry ({}, {}) is on the diagonal, which is zero in a skew-symmetric matrix and is not stored",
                                  row + 1, col + 1));
    }
    ++num_diagonal_;
    return;
  }
  if (num_above_ == 0) {
    first_line_ = line;
    first_row_ = row;
    first_col_ = col;
  }
  ++num_above_;
}

bool TriangleCheck::is_upper(Scanner& scanner, Count num_entries) const {
  if (num_above_ == 0) {
    return false;
  }
  const Count num_below = num_entries - num_diagonal_ - num_above_;
  if (num_below > 0) {
    scanner.fail_at(
        first_line_,
        fmt::format("entry ({}, {}) is above the diagonal of a symmetric file, which stores the lower triangle; {} entries "
                    "are above it and {} below: if both triangles are stored, declare the matrix general or drop the "
                    "entries above the diagonal",
                    first_row_ + 1, first_col_ + 1, num_above_, num_below));
  }
  scanner.note("the file stores the upper triangle where its format stores the lower one; it was mirrored");
  return true;
}

}  // namespace frond
