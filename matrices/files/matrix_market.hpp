// SPDX-License-Identifier: BSD-3-Clause
// The Matrix Market format (Boisvert, Pozo & Remington, "The Matrix Market exchange formats", NIST IR 5935, 1996): its header, and
// the two kinds of body.
#pragma once

#include <complex>
#include <string_view>
#include <variant>

#include "frond/matrix.hpp"
#include "frond/types.hpp"
#include "matrices/files/scanner.hpp"

namespace frond {

using AnyTriplets = std::variant<Triplets<double>, Triplets<std::complex<double>>>;

enum class MatrixMarketLayout { coordinate, array };
enum class MatrixMarketField { real, complex, integer, pattern };

/// The banner and the size line.
struct MatrixMarketHeader {
  MatrixMarketLayout layout = MatrixMarketLayout::coordinate;
  MatrixMarketField field = MatrixMarketField::real;
  Symmetry symmetry = Symmetry::general;
  bool is_vector = false;  ///< has one column, whose index is not written
  Index num_rows = 0;
  Index num_cols = 0;
  Count num_entries = 0;  ///< as announced (coordinate) or computed from the sizes (array); do not trust it for allocation
  Count size_line = 0;    ///< line number of the size line, for error texts
};

/// Returns the length of the word that begins every Matrix Market file, in any case and perhaps with blanks after its %%; 0 if
/// the text begins differently.
[[nodiscard]] std::size_t matrix_market_banner(std::string_view text);

/// Reads banner, comments and size line, and moves past them.
[[nodiscard]] MatrixMarketHeader read_matrix_market_header(Scanner& scanner);

/// Reads the entries of a coordinate file and checks the format; duplicates are not summed yet.
template <class S>
[[nodiscard]] Triplets<S> read_coordinate_body(Scanner& scanner, const MatrixMarketHeader& header);

/// Reads the entries of an array file, zeros included.
template <class S>
[[nodiscard]] Triplets<S> read_array_body(Scanner& scanner, const MatrixMarketHeader& header);

}  // namespace frond
