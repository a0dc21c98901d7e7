// SPDX-License-Identifier: BSD-3-Clause
// The Harwell-Boeing format (Duff, Grimes & Lewis, "Users' guide for the Harwell-Boeing sparse matrix collection", 1992) and its
// successor Rutherford-Boeing (same authors, 1997): compressed columns in fixed-width Fortran fields.
#pragma once

#include <optional>

#include "frond/files.hpp"
#include "matrices/files/fortran_format.hpp"
#include "matrices/files/matrix_market.hpp"

namespace frond {

/// The facts stated in the first four or five lines.
struct HarwellBoeingHeader {
  MatrixMarketField field = MatrixMarketField::real;
  Symmetry symmetry = Symmetry::general;
  Index num_rows = 0;
  Index num_cols = 0;
  Count num_entries = 0;
  bool has_right_hand_sides = false;  ///< lines with right-hand sides follow the matrix
  Index num_right_hand_sides = 0;     ///< stored in full; 0 if they are stored in the form of a matrix
  FortranFormat offsets_format;
  FortranFormat rows_format;
  FortranFormat values_format;  ///< meaningless for a pattern
  FortranFormat sides_format;   ///< meaningless unless right-hand sides are stored in full
};

[[nodiscard]] HarwellBoeingHeader read_harwell_boeing_header(Scanner& scanner);

struct HarwellBoeingFile {
  AnyTriplets matrix;
  std::optional<AnyDense> right_sides;
};

/// Reads a whole file except for starting vectors and solutions after its right-hand sides. Right-hand sides in the form of a
/// matrix are not read, and a note says so.
[[nodiscard]] HarwellBoeingFile read_harwell_boeing(Scanner& scanner);

}  // namespace frond
