// SPDX-License-Identifier: BSD-3-Clause
// Parses the Fortran formats that give the widths of numbers in Harwell-Boeing files.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "matrices/files/number.hpp"

namespace frond {

/// One repeated field, as (16I5), (1P,4D20.12) or (4E20.12E3): `repeat` numbers of `width` characters on every line.
struct FortranFormat {
  std::size_t repeat = 1;
  std::size_t width = 0;
  int decimals = 0;  ///< digits after the point, for a number written without one
  int scale = 0;     ///< P: a number written without an exponent is divided by 10^scale
  bool is_integer = false;
};

/// Parses a format, in any case and with blanks anywhere; returns nothing if it is not one of the above.
[[nodiscard]] std::optional<FortranFormat> parse_fortran_format(std::string_view text);

/// Reads one field as Fortran does: blanks around the number are ignored; the exponent letter may be e, d or missing before a
/// sign. The `end` of the result is meaningless; an empty field is `malformed`.
[[nodiscard]] ParsedReal parse_fortran_real(std::string_view field, const FortranFormat& format);

}  // namespace frond
