// SPDX-License-Identifier: BSD-3-Clause
// Reads the entries of Matrix Market coordinate files: row, column and value, one entry per line.
#include <algorithm>

#include "matrices/files/matrix_market.hpp"
#include "matrices/files/matrix_market_entry.hpp"
#include "matrices/files/triangle_check.hpp"

namespace frond {

namespace {

/// Reserves memory for at most as many entries as the rest of the file can hold: "1 1
/// " is the shortest.
template <class S>
void reserve(const Scanner& scanner, const MatrixMarketHeader& header, Triplets<S>& triplets) {
  constexpr Count kShortestEntry = 4;
  const auto capacity = static_cast<std::size_t>(std::min(header.num_entries, scanner.bytes_left() / kShortestEntry + 1));
  triplets.rows.reserve(capacity);
  triplets.cols.reserve(capacity);
  triplets.values.reserve(capacity);
}

}  // namespace

template <class S>
Triplets<S> read_coordinate_body(Scanner& scanner, const MatrixMarketHeader& header) {
  Triplets<S> triplets{.num_rows = header.num_rows, .num_cols = header.num_cols, .symmetry = header.symmetry};
  reserve(scanner, header, triplets);
  TriangleCheck triangle(header.symmetry);
  while (triplets.num_entries() < header.num_entries) {
    expect_entry(scanner, header, triplets.num_entries());
    const Index row = scanner.take_index("row", header.num_rows);
    static_cast<void>(scanner.at_line_end());
    const Index col = header.is_vector ? 0 : scanner.take_index("column", header.num_cols);
    const S value = header.field == MatrixMarketField::pattern ? S(1.0) : take_value<S>(scanner, header.field);
    finish_entry(scanner, header, row, col, value);
    triangle.note(scanner, scanner.line(), row, col);
    triplets.add(row, col, value);
  }
  expect_end(scanner, header);
  triangle.finish(scanner, triplets);
  return triplets;
}

template Triplets<double> read_coordinate_body(Scanner&, const MatrixMarketHeader&);
template Triplets<std::complex<double>> read_coordinate_body(Scanner&, const MatrixMarketHeader&);

}  // namespace frond
