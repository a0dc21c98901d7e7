// SPDX-License-Identifier: BSD-3-Clause
// A pattern that owns its arrays, and the hash by which patterns are recognized.
#pragma once

#include <cstdint>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/large_vector.hpp"

namespace frond {

/// A pattern with arrays of its own, in the order in which the entries were given.
struct OwnedPattern {
  Index order = 0;
  Symmetry symmetry = Symmetry::general;
  std::vector<Count> column_offsets;
  LargeVector<Index> row_indices;

  [[nodiscard]] PatternView view() const { return {order, order, symmetry, column_offsets, row_indices}; }
};

/// Hashes the positions and their order: different patterns have the same hash with a probability of 2^-64. O(entries), one pass.
[[nodiscard]] std::uint64_t pattern_hash(const PatternView& pattern);

/// The hash is the sum of that of the shape and those of any ranges of columns that make up the whole: threads may share the work.
[[nodiscard]] std::uint64_t shape_hash(const PatternView& pattern);
[[nodiscard]] std::uint64_t columns_hash(const PatternView& pattern, Index begin, Index end);

}  // namespace frond
