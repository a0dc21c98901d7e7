// SPDX-License-Identifier: BSD-3-Clause
// Generates sparse patterns for the analysis tests: hand-written, random by seed, and model problems.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"

namespace frond::test {

/// A pattern that owns its arrays.
struct Pattern {
  Index order = 0;
  Symmetry symmetry = Symmetry::general;
  std::vector<Count> column_offsets = {0};
  std::vector<Index> row_indices;

  [[nodiscard]] PatternView view() const { return {order, order, symmetry, column_offsets, row_indices}; }
};

using Entry = std::pair<Index, Index>;  ///< row, column

/// Returns the pattern with these entries, in the given order within each column.
[[nodiscard]] Pattern pattern_of(Index order, Symmetry symmetry, const std::vector<Entry>& entries);

/// Off-diagonal positions are present with probability `density`, diagonal ones with 3/4. For `symmetric` each entry lies in a
/// random triangle. Rows are in random order.
[[nodiscard]] Pattern random_pattern(Index order, Symmetry symmetry, double density, std::uint64_t seed);

/// A sample of small random patterns of all kinds: general and symmetric, empty to dense, forests, n = 0 and 1.
[[nodiscard]] std::vector<Pattern> random_sample();

/// Lower triangle of the 7-point stencil on a grid of nx * ny * nz points with `dofs` coupled unknowns in each.
[[nodiscard]] Pattern grid_pattern(Index nx, Index ny, Index nz, Index dofs = 1);

/// A random permutation of 0..n-1.
[[nodiscard]] std::vector<Index> random_permutation(Index order, std::uint64_t seed);

}  // namespace frond::test
