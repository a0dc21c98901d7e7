// SPDX-License-Identifier: BSD-3-Clause
// Reads plain lines; the sequential readers handle or report everything else.
#include "matrices/files/plain_entries.hpp"

#include <atomic>
#include <cmath>
#include <complex>
#include <cstddef>

#include "matrices/files/line_pieces.hpp"
#include "matrices/files/number.hpp"
#include "matrices/parallel.hpp"

namespace frond {
namespace {

const char* behind_blanks(const char* next, const char* end) {
  while (next != end && (*next == ' ' || *next == '\t')) {
    ++next;
  }
  return next;
}

bool ends_word(const char* next, const char* end) {
  return next == end || *next == ' ' || *next == '\t' || *next == '\n' || *next == '\r';
}

/// Reads a 1-based index as a 0-based one and moves past it. Returns false if it is not an index or exceeds the bound.
bool take_index(const char*& next, const char* end, Index bound, Index& index) {
  next = behind_blanks(next, end);
  Count value = 0;
  const char* const begin = next;
  constexpr std::ptrdiff_t kMostDigits = 18;
  while (next != end && *next >= '0' && *next <= '9' && next - begin < kMostDigits) {
    value = 10 * value + (*next++ - '0');
  }
  index = static_cast<Index>(value - 1);
  return next != begin && ends_word(next, end) && value >= 1 && value <= bound;
}

bool take_real(const char*& next, const char* end, MatrixMarketField field, double& value) {
  next = behind_blanks(next, end);
  const ParsedReal parsed = parse_real(next, end);
  next = parsed.end;
  value = parsed.value;
  return parsed.status == NumberStatus::ok && !parsed.has_bare_exponent && ends_word(next, end) &&
         (field != MatrixMarketField::integer || value == std::floor(value));
}

template <class S>
bool take_value(const char*& next, const char* end, MatrixMarketField field, S& value) {
  if constexpr (kIsComplex<S>) {
    double real = 0;
    double imaginary = 0;
    const bool is_plain = take_real(next, end, field, real) && take_real(next, end, field, imaginary);
    value = {real, imaginary};
    return is_plain;
  } else {
    value = 1;
    return field == MatrixMarketField::pattern || take_real(next, end, field, value);
  }
}

template <class S>
bool may_hold(Symmetry symmetry, Index row, Index col, S value) {
  switch (symmetry) {
    case Symmetry::general:
      return true;
    case Symmetry::skew_symmetric:
      return row > col;
    case Symmetry::hermitian:
      return row > col || (row == col && std::imag(value) == 0);
    default:
      return row >= col;
  }
}

/// Calls take(next, end, line), which returns what behind_line() does, for every line of the pieces. Returns false as soon as one
/// call has returned nothing.
template <class Take>
bool take_lines(const LinePieces& lines, int num_threads, const Take& take) {
  std::atomic<bool> is_plain = true;
  for_each_piece(lines.pieces.size(), num_threads, [&](std::size_t piece) {
    const std::string_view text = lines.pieces[piece].text;
    auto line = static_cast<std::size_t>(lines.pieces[piece].first_line);
    const char* const end = text.data() + text.size();
    for (const char* next = text.data(); next != end; ++line) {
      next = take(next, end, line);
      if (next == nullptr || ((line & 0xfffU) == 0 && !is_plain)) {
        is_plain = false;
        return;
      }
    }
  });
  return is_plain;
}

}  // namespace

template <class S>
std::optional<LargeTriplets<S>> read_plain_entries(std::string_view text, const MatrixMarketHeader& header, int num_threads) {
  const LinePieces lines = cut_into_lines(text, num_threads);
  if (lines.num_lines != header.num_entries) {
    return std::nullopt;
  }
  const auto size = static_cast<std::size_t>(lines.num_lines);
  LargeTriplets<S> entries{header.num_rows,          header.num_cols,          header.symmetry,
                           LargeVector<Index>(size), LargeVector<Index>(size), LargeVector<S>(size)};
  const bool is_plain = take_lines(lines, num_threads, [&](const char* next, const char* end, std::size_t k) {
    Index row = 0;
    Index col = 0;
    S value{};
    const bool is_entry = take_index(next, end, header.num_rows, row) &&
                          (header.is_vector || take_index(next, end, header.num_cols, col)) &&
                          take_value(next, end, header.field, value) && may_hold(header.symmetry, row, col, value);
    entries.rows[k] = row;
    entries.cols[k] = col;
    entries.values[k] = value;
    return is_entry ? behind_line(next, end) : nullptr;
  });
  return is_plain ? std::optional(std::move(entries)) : std::nullopt;
}

template <class S>
std::optional<DenseMatrix<S>> read_plain_array(std::string_view text, const MatrixMarketHeader& header, int num_threads) {
  const LinePieces lines = cut_into_lines(text, num_threads);
  if (lines.num_lines != header.num_entries || header.symmetry != Symmetry::general) {
    return std::nullopt;
  }
  LargeVector<S> values(static_cast<std::size_t>(lines.num_lines));
  const bool is_plain = take_lines(lines, num_threads, [&](const char* next, const char* end, std::size_t k) {
    return take_value(next, end, header.field, values[k]) ? behind_line(next, end) : nullptr;
  });
  if (!is_plain) {
    return std::nullopt;
  }
  DenseMatrix<S> matrix;
  matrix.num_rows = header.num_rows;
  matrix.num_cols = header.num_cols;
  matrix.values.assign(values.begin(), values.end());
  return matrix;
}

template std::optional<LargeTriplets<double>> read_plain_entries(std::string_view, const MatrixMarketHeader&, int);
template std::optional<LargeTriplets<std::complex<double>>> read_plain_entries(std::string_view, const MatrixMarketHeader&, int);
template std::optional<DenseMatrix<double>> read_plain_array(std::string_view, const MatrixMarketHeader&, int);
template std::optional<DenseMatrix<std::complex<double>>> read_plain_array(std::string_view, const MatrixMarketHeader&, int);

}  // namespace frond
