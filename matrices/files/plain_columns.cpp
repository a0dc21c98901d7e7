// SPDX-License-Identifier: BSD-3-Clause
// Reads full lines of fixed-width numbers: the line's number determines which numbers it holds.
#include "matrices/files/plain_columns.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <system_error>
#include <utility>

#include "matrices/files/line_pieces.hpp"
#include "matrices/large_vector.hpp"
#include "matrices/parallel.hpp"

namespace frond {
namespace {

// Consecutive lines with numbers of one format.
struct Part {
  FortranFormat format;
  Count num_fields = 0;
  Count first_line = 0;
  std::function<bool(Count field, std::string_view text)> take;  ///< false if it is not plain

  [[nodiscard]] Count end_line() const {
    const auto repeat = static_cast<Count>(format.repeat);
    return first_line + (num_fields + repeat - 1) / repeat;
  }
};

std::string_view without_blanks(std::string_view field) {
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  return field.substr(0, field.find_last_not_of(' ') + 1);
}

bool parse_count(std::string_view field, Count& value) {
  const std::string_view digits = without_blanks(field);
  if (digits.starts_with('-')) {
    return false;
  }
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value);
  return error == std::errc() && end == digits.end();
}

// Takes the numbers of a line; false if one is missing or not plain. Where numbers touch or the format cuts them, the sequential
// reader decides.
bool take_line(const Part& part, Count line, std::string_view text) {
  const auto repeat = static_cast<Count>(part.format.repeat);
  const Count first = (line - part.first_line) * repeat;
  const Count end = std::min(part.num_fields, first + repeat);
  for (Count field = first; field < end; ++field) {
    const std::size_t begin = static_cast<std::size_t>(field - first) * part.format.width;
    const bool is_cut = begin > 0 && begin < text.size() && text[begin - 1] != ' ' && text[begin] != ' ';
    if (begin >= text.size() || is_cut || !part.take(field, text.substr(begin, part.format.width))) {
      return false;
    }
  }
  return true;
}

bool take_lines(const LinePieces& lines, const std::array<Part, 3>& parts, int num_threads) {
  std::atomic<bool> is_plain = true;
  for_each_piece(lines.pieces.size(), num_threads, [&](std::size_t piece) {
    std::string_view text = lines.pieces[piece].text;
    const auto* part = parts.begin();
    for (Count line = lines.pieces[piece].first_line; !text.empty() && is_plain; ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view content = text.substr(0, end);
      content.remove_suffix(content.ends_with('\r') ? 1 : 0);
      text.remove_prefix(std::min(end + 1, text.size()));
      while (line >= part->end_line()) {
        ++part;
      }
      if (!take_line(*part, line, content)) {
        is_plain = false;
      }
    }
  });
  return is_plain;
}

bool are_offsets(const std::vector<Count>& offsets, Count num_entries) {
  return offsets.front() == 0 && offsets.back() == num_entries && std::is_sorted(offsets.begin(), offsets.end());
}

// True if rows increase within columns and lie in the stored triangle.
template <class S>
bool is_tidy(const SparseMatrix<S>& matrix, int num_threads) {
  const auto width = static_cast<std::size_t>(matrix.num_cols);
  const std::size_t pieces = std::min(num_pieces(matrix.num_entries(), num_threads), std::max<std::size_t>(1, width));
  std::atomic<bool> is_right = true;
  for_each_piece(pieces, num_threads, [&](std::size_t piece) {
    for (std::size_t j = piece_begin(width, piece, pieces); j < piece_begin(width, piece + 1, pieces); ++j) {
      const auto begin = static_cast<std::size_t>(matrix.column_offsets[j]);
      const auto end = static_cast<std::size_t>(matrix.column_offsets[j + 1]);
      const auto least =
          static_cast<Index>(matrix.symmetry == Symmetry::general ? 0 : j + (matrix.symmetry == Symmetry::skew_symmetric ? 1 : 0));
      const bool is_hermitian = matrix.symmetry == Symmetry::hermitian;
      for (std::size_t k = begin; k < end; ++k) {
        const Index row = matrix.row_indices[k];
        const bool is_in_order = row >= least && (k == begin || row > matrix.row_indices[k - 1]);
        const bool is_real = !is_hermitian || static_cast<std::size_t>(row) != j || std::imag(matrix.values[k]) == 0;
        if (!is_in_order || !is_real) {
          is_right = false;
          return;
        }
      }
    }
  });
  return is_right;
}

}  // namespace

template <class S>
std::optional<SparseMatrix<S>> read_plain_columns(std::string_view text, const HarwellBoeingHeader& header, int num_threads) {
  constexpr Count kParts = kIsComplex<S> ? 2 : 1;  // per value
  const LinePieces lines = cut_into_lines(text, num_threads);
  const bool has_values = header.field != MatrixMarketField::pattern;
  std::array<Part, 3> parts = {Part{header.offsets_format, Count{header.num_cols} + 1, 0, {}},
                               Part{header.rows_format, header.num_entries, 0, {}},
                               Part{header.values_format, has_values ? kParts * header.num_entries : 0, 0, {}}};
  parts[1].first_line = parts[0].end_line();
  parts[2].first_line = parts[1].end_line();
  // Every number promised by the header needs at least one character: check that before allocating memory.
  const Count num_fields = parts[0].num_fields + parts[1].num_fields + parts[2].num_fields;
  const Count num_lines = has_values ? parts[2].end_line() : parts[2].first_line;
  if (num_fields > static_cast<Count>(text.size()) || lines.num_lines != num_lines) {
    return std::nullopt;
  }
  SparseMatrix<S> matrix;
  matrix.num_rows = header.num_rows;
  matrix.num_cols = header.num_cols;
  matrix.symmetry = header.symmetry;
  matrix.column_offsets.resize(static_cast<std::size_t>(header.num_cols) + 1);
  LargeVector<Index> rows(static_cast<std::size_t>(header.num_entries));
  LargeVector<RealOf<S>> numbers(static_cast<std::size_t>(parts[2].num_fields));
  parts[0].take = [&matrix](Count field, std::string_view number) {
    Count& offset = matrix.column_offsets[field];
    return parse_count(number, offset) && offset-- > 0;
  };
  parts[1].take = [&rows, &header](Count field, std::string_view number) {
    Count row = 0;
    const bool is_row = parse_count(number, row) && row >= 1 && row <= header.num_rows;
    rows[field] = static_cast<Index>(row - 1);
    return is_row;
  };
  parts[2].take = [&numbers, &header](Count field, std::string_view number) {
    const ParsedReal parsed = parse_fortran_real(number, header.values_format);
    numbers[field] = parsed.value;
    return parsed.status == NumberStatus::ok &&
           (header.field != MatrixMarketField::integer || parsed.value == std::floor(parsed.value));
  };
  if (!take_lines(lines, parts, num_threads) || !are_offsets(matrix.column_offsets, header.num_entries)) {
    return std::nullopt;
  }
  matrix.row_indices.assign(rows.begin(), rows.end());
  if (has_values) {
    const S* const values = reinterpret_cast<const S*>(numbers.data());  // real and imaginary parts are laid out as in std::complex
    matrix.values.assign(values, values + header.num_entries);
  } else {
    matrix.values.assign(rows.size(), S(1));
  }
  return is_tidy(matrix, num_threads) ? std::optional(std::move(matrix)) : std::nullopt;
}

template std::optional<SparseMatrix<double>> read_plain_columns(std::string_view, const HarwellBoeingHeader&, int);
template std::optional<SparseMatrix<std::complex<double>>> read_plain_columns(std::string_view, const HarwellBoeingHeader&, int);

}  // namespace frond
