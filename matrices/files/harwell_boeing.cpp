// SPDX-License-Identifier: BSD-3-Clause
// Reads the columns of Harwell-Boeing and Rutherford-Boeing files: column pointers, row indices, values.
#include "matrices/files/harwell_boeing.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "matrices/files/triangle_check.hpp"

namespace frond {

namespace {

/// Takes the fields of one part of the file in order. Every part begins on a new line.
class FieldReader {
 public:
  /// `what` names the numbers of this part and `total` is their count; both are for error texts.
  FieldReader(Scanner& scanner, const FortranFormat& format, const char* what, Count total)
      : scanner_(scanner), format_(format), what_(what), total_(total), next_field_(format.repeat) {}

  /// The line of the last number.
  [[nodiscard]] Count line() const { return line_; }

  [[nodiscard]] Count take_integer() {
    std::string_view field = take_field();
    field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
    field = field.substr(0, field.find_last_not_of(' ') + 1);
    Count value = 0;
    if (!parse_integer(field, value)) {
      fail(fmt::format("{} in the {} is not an integer", in_quotes(field), what_));
    }
    return value;
  }

  [[nodiscard]] double take_real() {
    const std::string_view field = take_field();
    const ParsedReal parsed = parse_fortran_real(field, format_);
    if (parsed.status == NumberStatus::overflow) {
      fail(fmt::format("the value {} is larger than the largest double, 1.797e308; scale the matrix", in_quotes(field)));
    }
    if (parsed.status != NumberStatus::ok) {
      fail(fmt::format("{} in the {} is not a finite number", in_quotes(field), what_));
    }
    return parsed.value;
  }

  [[noreturn]] void fail(const std::string& cause) const { scanner_.fail_at(line_, cause); }

 private:
  std::string_view take_field() {
    if (next_field_ == format_.repeat) {
      take_line();
    }
    if (!words_.empty()) {
      ++num_taken_;
      return words_[next_field_++];
    }
    const std::size_t begin = next_field_ * format_.width;
    if (text_.find_first_not_of(' ', std::min(begin, text_.size())) == std::string_view::npos) {
      fail(fmt::format("the line holds {} of the {} numbers that its format means", next_field_, format_.repeat));
    }
    ++next_field_;
    ++num_taken_;
    return text_.substr(begin, format_.width);
  }

  void take_line() {
    if (scanner_.bytes_left() == 0) {
      scanner_.fail(fmt::format("the file ends after {} of {} {}", num_taken_, total_, what_));
    }
    line_ = scanner_.line();
    text_ = scanner_.take_line();
    next_field_ = 0;
    find_words();
  }

  // If the format would cut numbers apart and exactly the expected number of blank-separated words is there, takes the words:
  // SciPy's hb_write announces fields one character wider than they are.
  void find_words() {
    words_.clear();
    const auto num_fields = static_cast<std::size_t>(std::min(static_cast<Count>(format_.repeat), total_ - num_taken_));
    bool cuts = false;
    for (std::size_t field = 1; field < num_fields && field * format_.width < text_.size(); ++field) {
      const std::size_t place = field * format_.width;
      cuts = cuts || (text_[place - 1] != ' ' && text_[place] != ' ');
    }
    if (!cuts) {
      return;
    }
    Scanner line(text_, "");
    while (!line.at_line_end()) {
      words_.push_back(line.take_word());
    }
    if (words_.size() != num_fields) {
      words_.clear();
      return;
    }
    scanner_.note(
        "numbers do not stand in the columns that their format says, as in files of SciPy's hb_write; they were read as they "
        "are separated by blanks");
  }

  Scanner& scanner_;
  const FortranFormat& format_;
  const char* what_;
  Count total_;
  std::string_view text_;
  std::vector<std::string_view> words_;  ///< of the line, where they are not in their columns
  Count line_ = 0;
  Count num_taken_ = 0;
  std::size_t next_field_;  ///< of the current line
};

/// Reads the column pointers, which rise from 1 to the number of entries plus 1, and returns them 0-based.
std::vector<Count> read_offsets(Scanner& scanner, const HarwellBoeingHeader& header) {
  FieldReader fields(scanner, header.offsets_format, "column pointers", Count{header.num_cols} + 1);
  std::vector<Count> offsets;
  for (Index j = 0; j <= header.num_cols; ++j) {
    const Count offset = fields.take_integer();
    if (j == 0 && offset != 1) {
      fields.fail(fmt::format("the first column pointer is {}; it must be 1{}", offset,
                              offset == 0 ? ": the file seems to count from 0, the format counts from 1" : ""));
    }
    if (j > 0 && offset - 1 < offsets.back()) {
      fields.fail(fmt::format("column pointer {} is {}, less than the one before, {}", j + Count{1}, offset, offsets.back() + 1));
    }
    if (offset - 1 > header.num_entries || (j == header.num_cols && offset - 1 != header.num_entries)) {
      fields.fail(fmt::format("column pointer {} is {}, but the header announces {} entries, so the last pointer must be {}",
                              j + Count{1}, offset, header.num_entries, header.num_entries + 1));
    }
    offsets.push_back(offset - 1);
    if (j == header.num_cols) {
      break;  // before ++j leaves the range of Index
    }
  }
  return offsets;
}

template <class S>
void read_rows(Scanner& scanner, const HarwellBoeingHeader& header, const std::vector<Count>& offsets, TriangleCheck& triangle,
               Triplets<S>& triplets) {
  FieldReader fields(scanner, header.rows_format, "row indices", header.num_entries);
  for (Index col = 0; col < header.num_cols; ++col) {
    const Count end = offsets[static_cast<std::size_t>(col) + 1];
    while (static_cast<Count>(triplets.rows.size()) < end) {
      const Count row = fields.take_integer();
      if (row < 1 || row > header.num_rows) {
        fields.fail(fmt::format("the row index {} is outside 1 .. {}", row, header.num_rows));
      }
      triplets.rows.push_back(static_cast<Index>(row - 1));
      triplets.cols.push_back(col);
      triangle.note(scanner, fields.line(), triplets.rows.back(), col);
    }
  }
}

template <class S>
S take_value(FieldReader& fields, const HarwellBoeingHeader& header) {
  if constexpr (kIsComplex<S>) {
    const double real = fields.take_real();
    return {real, fields.take_real()};
  } else {
    const double value = fields.take_real();
    if (header.field == MatrixMarketField::integer && value != std::floor(value)) {
      fields.fail(fmt::format("the value {} is no integer, as the matrix type promises; write R for I", value));
    }
    return value;
  }
}

template <class S>
void check_diagonal(const FieldReader& fields, const HarwellBoeingHeader& header, Index row, Index col, S value) {
  if constexpr (kIsComplex<S>) {
    if (header.symmetry == Symmetry::hermitian && row == col && value.imag() != 0) {
      fields.fail(fmt::format("entry ({}, {}) on the diagonal of a hermitian matrix has the imaginary part {}; it must be 0",
                              row + 1, col + 1, value.imag()));
    }
  }
}

template <class S>
void read_values(Scanner& scanner, const HarwellBoeingHeader& header, Triplets<S>& triplets) {
  if (header.field == MatrixMarketField::pattern) {
    triplets.values.assign(triplets.rows.size(), S(1.0));
    return;
  }
  FieldReader fields(scanner, header.values_format, "values", (kIsComplex<S> ? 2 : 1) * header.num_entries);
  for (std::size_t k = 0; k < triplets.rows.size(); ++k) {
    const S value = take_value<S>(fields, header);
    check_diagonal(fields, header, triplets.rows[k], triplets.cols[k], value);
    triplets.values.push_back(value);
  }
}

template <class S>
Triplets<S> read_columns(Scanner& scanner, const HarwellBoeingHeader& header) {
  Triplets<S> triplets{.num_rows = header.num_rows, .num_cols = header.num_cols, .symmetry = header.symmetry};
  const std::vector<Count> offsets = read_offsets(scanner, header);
  TriangleCheck triangle(header.symmetry);
  read_rows(scanner, header, offsets, triangle, triplets);
  read_values(scanner, header, triplets);
  triangle.finish(scanner, triplets);
  if (!header.has_right_hand_sides && scanner.find_word()) {
    scanner.fail("the file goes on after the last number of the matrix; the header announces too few entries or a wrong format");
  }
  return triplets;
}

/// Reads right-hand sides stored in full, one after the other.
template <class S>
std::optional<AnyDense> read_sides(Scanner& scanner, const HarwellBoeingHeader& header) {
  if (header.has_right_hand_sides && header.num_right_hand_sides == 0) {
    scanner.note("right-hand sides behind the matrix are not read: they are not stored in full (F)");
  }
  if (header.num_right_hand_sides == 0) {
    return std::nullopt;
  }
  constexpr Count kParts = kIsComplex<S> ? 2 : 1;
  const Count num_values = Count{header.num_rows} * header.num_right_hand_sides;
  if (kParts * num_values > scanner.bytes_left()) {  // allocates no memory for missing numbers
    scanner.fail(fmt::format("the file ends before the last of the {} values of right-hand sides", num_values));
  }
  FieldReader fields(scanner, header.sides_format, "values of right-hand sides", kParts * num_values);
  DenseMatrix<S> sides(header.num_rows, header.num_right_hand_sides);
  for (S& value : sides.values) {
    const double real = fields.take_real();
    if constexpr (kIsComplex<S>) {
      value = {real, fields.take_real()};
    } else {
      value = real;
    }
  }
  return sides;
}

template <class S>
HarwellBoeingFile read_parts(Scanner& scanner, const HarwellBoeingHeader& header) {
  Triplets<S> matrix = read_columns<S>(scanner, header);
  return {std::move(matrix), read_sides<S>(scanner, header)};
}

}  // namespace

HarwellBoeingFile read_harwell_boeing(Scanner& scanner) {
  const HarwellBoeingHeader header = read_harwell_boeing_header(scanner);
  return header.field == MatrixMarketField::complex ? read_parts<std::complex<double>>(scanner, header)
                                                    : read_parts<double>(scanner, header);
}

}  // namespace frond
