// SPDX-License-Identifier: BSD-3-Clause
// Reading a Matrix Market file: the header decides the scalar and the layout of the body.
#include "matrices/matrix_market.hpp"

namespace frond {

namespace {

template <class S>
Triplets<S> read_body(Scanner& scanner, const MatrixMarketHeader& header) {
  return header.layout == MatrixMarketLayout::coordinate ? read_coordinate_body<S>(scanner, header)
                                                         : read_array_body<S>(scanner, header);
}

}  // namespace

AnyTriplets read_matrix_market(Scanner& scanner) {
  const MatrixMarketHeader header = read_matrix_market_header(scanner);
  if (header.field == MatrixMarketField::complex) {
    return read_body<std::complex<double>>(scanner, header);
  }
  return read_body<double>(scanner, header);
}

}  // namespace frond
