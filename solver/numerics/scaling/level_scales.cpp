// SPDX-License-Identifier: BSD-3-Clause
// A shift of level k by t_k multiplies its couplings with level l by 2^(t_k - t_l): with the largest of them, t_l follows from the
// shifts of the levels before.
#include "solver/numerics/scaling/level_scales.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace frond {
namespace {

// [k * num_levels + l] = the largest coupling of a row of level k with a column of level l, scaled; kLogOfZero if there is none.
std::vector<Log> largest_couplings(const LogMatrix& whole, const BlockTriangularForm& blocks, const LogScales& scales) {
  const auto num_levels = static_cast<std::size_t>(blocks.num_levels);
  std::vector<Log> largest(num_levels * num_levels, kLogOfZero);
  whole.for_each([&](std::size_t row, std::size_t column, Log log) {
    const auto level = static_cast<std::size_t>(blocks.level_of_row[row]);
    Log& known = largest[level * num_levels + static_cast<std::size_t>(blocks.level_of_column[column])];
    known = std::max(known, log + scales.rows[row] + scales.cols[column]);
  });
  return largest;
}

std::vector<std::int64_t> shifts_of(const std::vector<Log>& largest, std::size_t num_levels) {
  std::vector<std::int64_t> shifts(num_levels, 0);
  for (std::size_t l = 1; l < num_levels; ++l) {
    for (std::size_t k = 0; k < l; ++k) {
      const Log coupling = largest[k * num_levels + l];
      if (coupling != kLogOfZero) {
        shifts[l] = std::max(shifts[l], shifts[k] + coupling);
      }
    }
    shifts[l] = (shifts[l] + kLogOfTwo - 1) / kLogOfTwo * kLogOfTwo;  // so that rounding to powers of 2 does not change them
  }
  return shifts;
}

// Limits a shift of a level so that all its scales stay within their range.
Log within_range(std::int64_t shift, std::pair<Log, Log> rows, std::pair<Log, Log> cols) {
  const std::int64_t most = std::min<std::int64_t>(kLargestLog - rows.second, kLargestLog + cols.first);
  return static_cast<Log>(std::clamp<std::int64_t>(shift, 0, std::max<std::int64_t>(most / kLogOfTwo * kLogOfTwo, 0)));
}

// [level] = the least and the largest scale.
std::vector<std::pair<Log, Log>> ranges_of(const std::vector<Log>& scales, const std::vector<Index>& levels, Index num_levels) {
  std::vector<std::pair<Log, Log>> ranges(static_cast<std::size_t>(num_levels), {kLargestLog, -kLargestLog});
  for (std::size_t i = 0; i < scales.size(); ++i) {
    auto& [least, largest] = ranges[levels[i]];
    least = std::min(least, scales[i]);
    largest = std::max(largest, scales[i]);
  }
  return ranges;
}

}  // namespace

LevelMatrix::LevelMatrix(const LogMatrix& whole, const BlockTriangularForm& blocks) : levels(levels_of(whole.pattern, blocks)) {
  matrix.pattern = levels.pattern();
  matrix.epsilon = whole.epsilon;
  matrix.logs.resize(levels.sources.size());
  std::transform(levels.sources.begin(), levels.sources.end(), matrix.logs.begin(),
                 [&](Count source) { return whole.logs[source]; });
}

void shift_levels(const LogMatrix& whole, const BlockTriangularForm& blocks, LogScales& scales) {
  const auto num_levels = static_cast<std::size_t>(blocks.num_levels);
  const std::vector<std::int64_t> wanted = shifts_of(largest_couplings(whole, blocks, scales), num_levels);
  const auto rows = ranges_of(scales.rows, blocks.level_of_row, blocks.num_levels);
  const auto cols = ranges_of(scales.cols, blocks.level_of_column, blocks.num_levels);
  std::vector<Log> shifts(num_levels);
  for (std::size_t level = 0; level < num_levels; ++level) {
    shifts[level] = within_range(wanted[level], rows[level], cols[level]);
  }
  for (std::size_t i = 0; i < scales.rows.size(); ++i) {
    scales.rows[i] += shifts[blocks.level_of_row[i]];
    scales.cols[i] -= shifts[blocks.level_of_column[i]];
  }
}

}  // namespace frond
