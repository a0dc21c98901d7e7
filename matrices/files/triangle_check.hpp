// SPDX-License-Identifier: BSD-3-Clause
// Checks that the entries of a symmetric file stay in one triangle.
#pragma once

#include <utility>

#include "frond/matrix.hpp"
#include "matrices/files/scanner.hpp"
#include "matrices/symmetry.hpp"

namespace frond {

/// Receives every entry of a file once, in the order of the file.
class TriangleCheck {
 public:
  explicit TriangleCheck(Symmetry symmetry) : symmetry_(symmetry) {}

  /// Checks the entry of a line. Throws for a diagonal entry of a skew-symmetric matrix. Entries above the diagonal are only
  /// counted, see finish().
  void note(const Scanner& scanner, Count line, Index row, Index col) {
    if (symmetry_ != Symmetry::general && row <= col) {
      note_upper_or_diagonal(scanner, line, row, col);
    }
  }
  /// Mirrors the entries of a file that stores the upper triangle, with a note; throws if there are entries in both triangles.
  template <class S>
  void finish(Scanner& scanner, Triplets<S>& triplets) const {
    if (is_upper(scanner, triplets.num_entries())) {
      std::swap(triplets.rows, triplets.cols);
      for (S& value : triplets.values) {
        value = mirrored(symmetry_, value);
      }
    }
  }

 private:
  bool is_upper(Scanner& scanner, Count num_entries) const;
  void note_upper_or_diagonal(const Scanner& scanner, Count line, Index row, Index col);

  Symmetry symmetry_;
  Count num_diagonal_ = 0;
  Count num_above_ = 0;
  Count first_line_ = 0;  ///< of the first entry above the diagonal, which is (first_row_, first_col_)
  Index first_row_ = 0;
  Index first_col_ = 0;
};

}  // namespace frond
