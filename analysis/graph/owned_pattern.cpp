// SPDX-License-Identifier: BSD-3-Clause
// Computes a hash that is a sum over columns.
#include "analysis/graph/owned_pattern.hpp"

#include <cstddef>

#include "matrices/mixed_bits.hpp"

namespace frond {

std::uint64_t pattern_hash(const PatternView& pattern) { return shape_hash(pattern) + columns_hash(pattern, 0, pattern.num_cols); }

std::uint64_t shape_hash(const PatternView& pattern) {
  return mixed_bits(static_cast<std::uint64_t>(pattern.num_cols)) + static_cast<std::uint64_t>(pattern.symmetry);
}

std::uint64_t columns_hash(const PatternView& pattern, Index begin, Index end) {
  std::uint64_t sum = 0;
  for (Index j = begin; j < end; ++j) {
    const auto column = static_cast<std::uint64_t>(j) << 32;
    for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]);
         k < static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
      sum += mixed_bits(column | static_cast<std::uint64_t>(pattern.row_indices[k]), k);
    }
  }
  return sum;
}

}  // namespace frond
