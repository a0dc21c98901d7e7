// SPDX-License-Identifier: BSD-3-Clause
// The Harwell-Boeing format (Duff, Grimes & Lewis, "Users' guide for the Harwell-Boeing sparse matrix collection", 1992) and its
// successor Rutherford-Boeing (same authors, 1997): compressed columns in fixed-width Fortran fields.
#pragma once

#include "matrices/files/fortran_format.hpp"
#include "matrices/files/matrix_market.hpp"

namespace frond {

/// What the first four or five lines say.
struct HarwellBoeingHeader {
  MatrixMarketField field = MatrixMarketField::real;
  Symmetry symmetry = Symmetry::general;
  Index num_rows = 0;
  Index num_cols = 0;
  Count num_entries = 0;
  bool has_right_hand_sides = false;  ///< lines with right-hand sides follow the matrix
  FortranFormat offsets_format;
  FortranFormat rows_format;
  FortranFormat values_format;  ///< meaningless for a pattern
};

[[nodiscard]] HarwellBoeingHeader read_harwell_boeing_header(Scanner& scanner);

/// Reads a whole file. Right-hand sides that the header announces are passed over.
[[nodiscard]] AnyTriplets read_harwell_boeing(Scanner& scanner);

}  // namespace frond
