// SPDX-License-Identifier: BSD-3-Clause
// Splits a long text into pieces of whole lines for several threads.
#pragma once

#include <string_view>
#include <vector>

#include "frond/types.hpp"

namespace frond {

struct LinePiece {
  std::string_view text;
  Count first_line = 0;  ///< 0-based
};

struct LinePieces {
  std::vector<LinePiece> pieces;
  Count num_lines = 0;
};

/// Cuts a text at the ends of lines. Blank lines at its end are not counted.
[[nodiscard]] LinePieces cut_into_lines(std::string_view text, int num_threads);

/// Returns the position after the end of the line at `next`, or nothing if anything but blanks stands before it.
[[nodiscard]] inline const char* behind_line(const char* next, const char* end) {
  while (next != end && (*next == ' ' || *next == '\t' || *next == '\r')) {
    ++next;
  }
  return next == end ? end : (*next == '\n' ? next + 1 : nullptr);
}

}  // namespace frond
