// SPDX-License-Identifier: BSD-3-Clause
// Cuts a text at line ends and counts its lines.
#include "matrices/files/line_pieces.hpp"

#include <algorithm>
#include <numeric>

#include "matrices/parallel.hpp"

namespace frond {
namespace {

// Counts in blocks of bytes so that compilers use wide registers.
Count count_line_ends(std::string_view text) {
  Count count = 0;
  while (!text.empty()) {
    const std::string_view block = text.substr(0, std::size_t{1} << 14);
    count += std::accumulate(block.begin(), block.end(), 0, [](int sum, char c) { return sum + (c == '\n' ? 1 : 0); });
    text.remove_prefix(block.size());
  }
  return count;
}

}  // namespace

LinePieces cut_into_lines(std::string_view text, int num_threads) {
  text = text.substr(0, text.find_last_not_of(" \t\r\n\v\f") + 1);
  LinePieces lines;
  const std::size_t count = num_pieces(static_cast<Count>(text.size()), num_threads);
  for (std::size_t piece = 0, begin = 0; piece < count; ++piece) {
    const std::size_t aim = std::max(begin, piece_begin(text.size(), piece + 1, count));
    const std::size_t line_end = piece + 1 < count ? text.find('\n', aim) : std::string_view::npos;
    const std::size_t end = line_end == std::string_view::npos ? text.size() : line_end + 1;
    lines.pieces.push_back({text.substr(begin, end - begin)});
    begin = end;
  }
  for_each_piece(count, num_threads,
                 [&lines](std::size_t piece) { lines.pieces[piece].first_line = count_line_ends(lines.pieces[piece].text); });
  for (LinePiece& piece : lines.pieces) {
    lines.num_lines += std::exchange(piece.first_line, lines.num_lines);
  }
  lines.num_lines += text.empty() ? 0 : 1;  // the last line, whose end was cut off
  return lines;
}

}  // namespace frond
