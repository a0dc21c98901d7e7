// SPDX-License-Identifier: BSD-3-Clause
// Reads the entries of Matrix Market array files: one value per line, column after column.
#include "matrices/files/matrix_market.hpp"
#include "matrices/files/matrix_market_entry.hpp"

namespace frond {

namespace {

/// Returns the first row of a column that the file holds.
Index first_row(Symmetry symmetry, Index col) {
  switch (symmetry) {
    case Symmetry::general:
      return 0;
    case Symmetry::skew_symmetric:
      return col + 1;
    default:
      return col;
  }
}

}  // namespace

template <class S>
Triplets<S> read_array_body(Scanner& scanner, const MatrixMarketHeader& header) {
  Triplets<S> triplets{.num_rows = header.num_rows, .num_cols = header.num_cols, .symmetry = header.symmetry};
  for (Index col = 0; triplets.num_entries() < header.num_entries; ++col) {
    for (Index row = first_row(header.symmetry, col); row < header.num_rows; ++row) {
      expect_entry(scanner, header, triplets.num_entries());
      const S value = take_value<S>(scanner, header.field);
      finish_entry(scanner, header, row, col, value);
      triplets.add(row, col, value);
    }
  }
  expect_end(scanner, header);
  return triplets;
}

template Triplets<double> read_array_body(Scanner&, const MatrixMarketHeader&);
template Triplets<std::complex<double>> read_array_body(Scanner&, const MatrixMarketHeader&);

}  // namespace frond
