// SPDX-License-Identifier: BSD-3-Clause
// Checks that the entries of a symmetric file stay in the triangle that the format stores.
#pragma once

#include "frond/types.hpp"
#include "matrices/files/scanner.hpp"

namespace frond {

/// Sees every entry of a file once, in the order of the file.
class TriangleCheck {
 public:
  explicit TriangleCheck(Symmetry symmetry) : symmetry_(symmetry) {}

  /// Sees the entry of a line. Throws for a diagonal entry of a skew-symmetric matrix. Entries above the diagonal are only counted,
  /// see finish().
  void note(const Scanner& scanner, Count line, Index row, Index col) {
    if (symmetry_ != Symmetry::general && row <= col) {
      note_upper_or_diagonal(scanner, line, row, col);
    }
  }
  /// Throws when entries lay above the diagonal, and says whether the file stores both triangles or the wrong one.
  void finish(const Scanner& scanner, Count num_entries) const;

 private:
  void note_upper_or_diagonal(const Scanner& scanner, Count line, Index row, Index col);

  Symmetry symmetry_;
  Count num_diagonal_ = 0;
  Count num_above_ = 0;
  Count first_line_ = 0;  ///< of the first entry above the diagonal, which is (first_row_, first_col_)
  Index first_row_ = 0;
  Index first_col_ = 0;
};

}  // namespace frond
