// SPDX-License-Identifier: BSD-3-Clause
// Turns text into a matrix: detects the format, reads plain bodies with all threads and others with one, compresses the entries.
#include "matrices/files/text_matrix.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>

#include "frond/error.hpp"
#include "matrices/files/file_format.hpp"
#include "matrices/files/harwell_boeing.hpp"
#include "matrices/files/matrix_market.hpp"
#include "matrices/files/plain_columns.hpp"
#include "matrices/files/plain_entries.hpp"
#include "matrices/symmetry.hpp"

namespace frond {
namespace {

/// Keeps memory allocated for dimensions alone in proportion to what was read: a header cannot be trusted.
void check_size(Count num_needed, Count num_entries, const char* what, const std::string& name) {
  constexpr Count kAlwaysAllowed = Count{1} << 20;
  constexpr Count kPerEntry = 1024;
  if (num_needed > kAlwaysAllowed + kPerEntry * num_entries) {
    throw InputError(name, 0,
                     fmt::format("the header promises {} {}, but the file has only {} entries; correct the size line", num_needed,
                                 what, num_entries));
  }
}

template <class S>
void check_finite(const std::vector<S>& values, const std::string& name) {
  const bool all_finite = std::all_of(values.begin(), values.end(), [](const S& value) {
    return std::isfinite(std::real(value)) && std::isfinite(std::imag(value));
  });
  if (!all_finite) {
    throw InputError(name, 0, "entries of the same position add up to more than the largest double, 1.797e308; scale the matrix");
  }
}

/// Compresses entries after checking the dimensions, and checks that sums are finite.
template <class Entries, class Compress>
auto checked_matrix(Entries entries, const std::string& name, const Compress& compressed) {
  const Count num_entries = entries.num_entries();
  check_size(entries.num_rows, num_entries, "rows", name);
  check_size(entries.num_cols, num_entries, "columns", name);
  auto matrix = compressed(std::move(entries));
  if (matrix.num_entries() < num_entries) {
    check_finite(matrix.values, name);
  }
  return matrix;
}

template <class S>
SparseMatrix<S> to_sparse(Triplets<S> triplets, const std::string& name) {
  return checked_matrix(std::move(triplets), name, [](Triplets<S> entries) { return compress(std::move(entries)); });
}

/// Keeps every entry, zeros included.
template <class S>
SparseMatrix<S> to_sparse(DenseMatrix<S> dense) {
  SparseMatrix<S> matrix;
  matrix.num_rows = dense.num_rows;
  matrix.num_cols = dense.num_cols;
  matrix.column_offsets.resize(static_cast<std::size_t>(dense.num_cols) + 1);
  matrix.row_indices.reserve(dense.values.size());
  for (Index j = 0; j < dense.num_cols; ++j) {
    matrix.column_offsets[static_cast<std::size_t>(j) + 1] = (j + Count{1}) * dense.num_rows;
    for (Index i = 0; i < dense.num_rows; ++i) {
      matrix.row_indices.push_back(i);
    }
  }
  matrix.values = std::move(dense.values);
  return matrix;
}

template <class S>
DenseMatrix<S> to_dense(const Triplets<S>& triplets, const std::string& name) {
  check_size(Count{triplets.num_rows} * triplets.num_cols, triplets.num_entries(), "dense entries", name);
  DenseMatrix<S> matrix(triplets.num_rows, triplets.num_cols);
  for (std::size_t k = 0; k < triplets.rows.size(); ++k) {
    const Index i = triplets.rows[k];
    const Index j = triplets.cols[k];
    matrix(i, j) += triplets.values[k];
    if (triplets.symmetry != Symmetry::general && i != j) {
      matrix(j, i) += mirrored(triplets.symmetry, triplets.values[k]);
    }
  }
  check_finite(matrix.values, name);
  return matrix;
}

template <class S>
SparseMatrix<S> sparse_body(Scanner& scanner, const MatrixMarketHeader& header, const TextSource& source) {
  if (header.layout == MatrixMarketLayout::array) {
    std::optional<DenseMatrix<S>> plain = read_plain_array<S>(scanner.rest(), header, source.num_threads);
    if (plain && !plain->values.empty()) {
      return to_sparse(std::move(*plain));
    }
    return to_sparse(read_array_body<S>(scanner, header), source.name);
  }
  std::optional<LargeTriplets<S>> plain = read_plain_entries<S>(scanner.rest(), header, source.num_threads);
  return plain ? to_sparse(std::move(*plain), source) : to_sparse(read_coordinate_body<S>(scanner, header), source.name);
}

template <class S>
DenseMatrix<S> dense_body(Scanner& scanner, const MatrixMarketHeader& header, const TextSource& source) {
  if (header.layout == MatrixMarketLayout::array) {
    std::optional<DenseMatrix<S>> plain = read_plain_array<S>(scanner.rest(), header, source.num_threads);
    return plain ? std::move(*plain) : to_dense(read_array_body<S>(scanner, header), source.name);
  }
  return to_dense(read_coordinate_body<S>(scanner, header), source.name);
}

template <class S>
bool take_plain_columns(const Scanner& behind_header, const HarwellBoeingHeader& header, const TextSource& source,
                        AnyMatrix& matrix) {
  std::optional<SparseMatrix<S>> plain = read_plain_columns<S>(behind_header.rest(), header, source.num_threads);
  if (plain) {
    check_size(header.num_rows, header.num_entries, "rows", source.name);
    matrix = std::move(*plain);
  }
  return plain.has_value();
}

AnyMatrix sparse_columns(Scanner& scanner, const TextSource& source) {
  Scanner behind_header = scanner;
  const HarwellBoeingHeader header = read_harwell_boeing_header(behind_header);
  AnyMatrix matrix;
  const bool is_plain =
      !header.has_right_hand_sides &&
      (header.field == MatrixMarketField::complex ? take_plain_columns<std::complex<double>>(behind_header, header, source, matrix)
                                                  : take_plain_columns<double>(behind_header, header, source, matrix));
  if (is_plain) {
    return matrix;
  }
  HarwellBoeingFile file = read_harwell_boeing(scanner);
  if (source.right_sides != nullptr) {
    *source.right_sides = std::move(file.right_sides);
  }
  return std::visit([&](auto& triplets) -> AnyMatrix { return to_sparse(std::move(triplets), source.name); }, file.matrix);
}

AnyDense sides_behind_columns(Scanner& scanner, const TextSource& source) {
  HarwellBoeingFile file = read_harwell_boeing(scanner);
  if (!file.right_sides) {
    throw InputError(source.name, 0,
                     "is a Harwell-Boeing file that holds a matrix, and no right-hand sides in full: give these in a Matrix Market "
                     "or .npy file");
  }
  return std::move(*file.right_sides);
}

/// Returns the text; if its first line ends with a lone carriage return, as on old Macintoshes, `translated` with line feeds.
std::string_view with_line_feeds(std::string_view text, std::string& translated) {
  const std::size_t end = text.find_first_of("\r\n");
  if (end == std::string_view::npos || text[end] == '\n' || text.substr(end, 2) == "\r\n") {
    return text;
  }
  translated = text;
  for (std::size_t k = 0; k < translated.size(); ++k) {
    if (translated[k] == '\r' && text.substr(k, 2) != "\r\n") {
      translated[k] = '\n';
    }
  }
  return translated;
}

// Returns columns(scanner) for a file of compressed columns, and otherwise body(zero, scanner, header) for its kind of numbers.
template <class Matrix, class Columns, class Body>
Matrix from_text(const TextSource& source, const Columns& columns, const Body& body) {
  std::string translated;
  auto [format, scanner] = detect_format(with_line_feeds(source.text, translated), source.name);
  Matrix matrix;
  if (format == FileFormat::harwell_boeing) {
    matrix = columns(scanner, source);
  } else if (const MatrixMarketHeader header = read_matrix_market_header(scanner); header.field == MatrixMarketField::complex) {
    matrix = body(std::complex<double>(), scanner, header);
  } else {
    matrix = body(double(), scanner, header);
  }
  for (const std::string& note : scanner.notes()) {
    source.notes.push_back(source.name + ": " + note);
  }
  return matrix;
}

}  // namespace

template <class S>
SparseMatrix<S> to_sparse(LargeTriplets<S> triplets, const TextSource& source) {
  return checked_matrix(std::move(triplets), source.name,
                        [&source](LargeTriplets<S> entries) { return compress_large(std::move(entries), source.num_threads); });
}

AnyMatrix sparse_from_text(const TextSource& source) {
  return from_text<AnyMatrix>(source, sparse_columns, [&source]<class S>(S, Scanner& scanner, const MatrixMarketHeader& header) {
    return sparse_body<S>(scanner, header, source);
  });
}

AnyDense dense_from_text(const TextSource& source) {
  return from_text<AnyDense>(
      source, sides_behind_columns,
      [&source]<class S>(S, Scanner& scanner, const MatrixMarketHeader& header) { return dense_body<S>(scanner, header, source); });
}

template SparseMatrix<double> to_sparse(LargeTriplets<double>, const TextSource&);
template SparseMatrix<std::complex<double>> to_sparse(LargeTriplets<std::complex<double>>, const TextSource&);

}  // namespace frond
