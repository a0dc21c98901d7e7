// SPDX-License-Identifier: BSD-3-Clause
// Reads what entries of coordinate and array files have in common: a value of the announced field, one entry per line, a known
// number of entries.
#pragma once

#include "matrices/files/matrix_market.hpp"

namespace frond {

/// Moves to the next entry; throws if the file ends or a comment comes instead, after `num_read` entries.
void expect_entry(Scanner& scanner, const MatrixMarketHeader& header, Count num_read);

/// Reads the value of an entry: one number, or two for complex S.
template <class S>
[[nodiscard]] S take_value(Scanner& scanner, MatrixMarketField field);

/// Checks that the line ends here, and that the diagonal of a Hermitian matrix is real.
template <class S>
void finish_entry(Scanner& scanner, const MatrixMarketHeader& header, Index row, Index col, S value);

/// Throws if anything but blank lines follows the last entry.
void expect_end(Scanner& scanner, const MatrixMarketHeader& header);

}  // namespace frond
